"""What differs between two sides of a comparison, as data."""
