"""XPath 1.0 over a tree, in counted steps: the same path costs the same on every machine, and has an end."""
