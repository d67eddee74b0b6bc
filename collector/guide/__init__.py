"""The guide that comes with the program: its pages, their contents, and a search in them."""
