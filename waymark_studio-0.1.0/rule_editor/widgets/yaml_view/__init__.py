"""The YAML editor: highlighting, ticks, diagnostics under their lines, completion and quick fixes."""
