"""The camera: pictures of a scene that is drawn."""
