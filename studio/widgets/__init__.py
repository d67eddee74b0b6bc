"""Reusable views (device, tree, timeline, steps, palette): they emit signals and call no device."""
