"""The terminal of the virtual phone: its line discipline, and the editor of the prompt."""
