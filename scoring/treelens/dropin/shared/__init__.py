"""What the drop-ins have in common: the outside world, C's strings, evalb's rows."""
