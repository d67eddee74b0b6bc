"""Reusable views: device view, tree panel, timeline, step list, palette; they emit signals and call no device."""
