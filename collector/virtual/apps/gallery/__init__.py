"""The gallery: the pictures of the shared storage."""
