"""Rule files and libraries being edited, without Qt: text and model in step, undo, merging."""
