"""What can be said of counts: agreement beyond chance, intervals, significance."""
