"""What can be typed at a cursor: where it stands in the grammar, and the words to offer."""
