"""The main window: its frame, menus, shortcuts, palette and undo, and the way of Tab through it."""
