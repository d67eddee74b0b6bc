"""The widgets that edit rules: list, form, YAML, back-test matrix; and the grid of cells for all matrices."""
