"""The cards that stand around the phone while a task is recorded."""
