"""What people say of a trajectory: the labels, comments and reviews in their annotation files."""
