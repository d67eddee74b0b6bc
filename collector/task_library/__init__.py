"""The tasks that come with the studio, and longer ones made of them."""
