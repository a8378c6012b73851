"""Groups of sentences on one axis: the partner of every bracket, word, tag and head."""
