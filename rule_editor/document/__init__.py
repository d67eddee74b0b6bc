"""A rule file being edited, without a window: text and model in step, undo, several files, merging."""
