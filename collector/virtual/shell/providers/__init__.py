"""The content providers of the phone, as tables that the shell reads and changes."""
