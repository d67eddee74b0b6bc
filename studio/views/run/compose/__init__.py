"""The compose panel of the Run workspace: what an experiment runs, row by row, with its dialogs."""
