"""The files of the shared storage: the app that manages and picks them, and the viewer of texts."""
