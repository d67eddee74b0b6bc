"""Reusable widgets: device view, tree panel, timeline, step list. They emit signals and call no device."""
