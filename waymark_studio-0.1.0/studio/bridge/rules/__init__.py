"""Rule files and back-tests behind the window."""
