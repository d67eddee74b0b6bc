"""``waymark run``: its options, its phones, its display and its report."""
