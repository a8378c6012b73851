"""Both sides on a shared axis: sentences in groups, words as cells."""
