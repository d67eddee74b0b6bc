"""The text of a rule file: highlighted, with ticks, diagnostics under their lines, completion and fixes."""
