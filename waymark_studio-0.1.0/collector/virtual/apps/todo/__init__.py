"""The to-do app: lists, due dates, search, sharing."""
