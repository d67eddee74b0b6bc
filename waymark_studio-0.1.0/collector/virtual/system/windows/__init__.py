"""Windows of the system and of apps as widgets: decor, dialogs, keyboard, shade, and their texts."""
