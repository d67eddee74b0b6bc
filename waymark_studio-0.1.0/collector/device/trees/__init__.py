"""The phone's UI tree: the uiautomator dump, uiautomator2, and a reader that keeps the newest."""
