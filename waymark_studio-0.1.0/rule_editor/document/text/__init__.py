"""A text being edited: edits as values, undo, saving, merging with changes made outside."""
