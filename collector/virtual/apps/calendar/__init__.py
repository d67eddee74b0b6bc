"""The calendar: month, week, day and agenda, events that repeat and remind, search."""
