"""The automation servers of the virtual phone, which ``app_process`` runs: uiautomator2's and mobilecli's.

Each answers JSON-RPC over HTTP on a socket of the phone, as the helper does that the Python package
uiautomator2, or mobilecli of mobile-mcp, puts on real phones.
"""
