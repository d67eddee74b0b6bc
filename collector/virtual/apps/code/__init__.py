"""The code editor: a tree of files, tabs, syntax colours, find and replace."""
