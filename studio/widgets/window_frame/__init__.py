"""window_frame."""
