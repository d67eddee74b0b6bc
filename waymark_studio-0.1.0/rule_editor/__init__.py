"""The rule editor: a document of rules, and the widgets that edit it."""
