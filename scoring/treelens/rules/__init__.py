"""What the field's conventions say: what counts, what is equal, what heads what."""
