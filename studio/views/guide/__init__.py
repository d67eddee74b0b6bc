"""The guide in a window: its contents, a search, and the pages with their pictures and links."""
