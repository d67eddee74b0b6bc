"""The tree panel: search, tree, breadcrumb, attributes and selectors of the current screen."""
