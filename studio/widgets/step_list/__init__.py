"""The list of steps as they are recorded: picture, caption, how it went, and what can be done."""
