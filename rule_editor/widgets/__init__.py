"""The widgets that edit rules: list, form, YAML, condition menu, back-test matrix and explanation."""
