"""The other formats, a module or two each."""
