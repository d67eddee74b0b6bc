"""Import and export in the window: their dialogs, previews, progress and reports."""
