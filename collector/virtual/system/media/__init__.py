"""The camera, and the shared storage as apps use it."""
