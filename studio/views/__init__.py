"""The workspaces, and the pages that stand beside them."""
