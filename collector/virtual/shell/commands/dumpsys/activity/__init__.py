"""``dumpsys activity``: tasks, views, processes, services, broadcasts and providers."""
