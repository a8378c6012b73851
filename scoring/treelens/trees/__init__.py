"""Trees: columns for many sentences at once, objects for one that is shown."""
