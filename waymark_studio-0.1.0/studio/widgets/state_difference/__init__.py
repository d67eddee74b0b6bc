"""What differs between two states: lists of nodes and texts, pixels, and the node that is selected."""
