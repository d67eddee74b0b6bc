"""The browser, which opens web addresses of other apps and of ``am start``; it has no network."""
