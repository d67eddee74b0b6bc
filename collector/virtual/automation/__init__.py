"""The uiautomator2 server of the virtual phone: what ``app_process / com.wetest.uia2.Main`` runs.

It answers JSON-RPC over HTTP on a port of the phone, as the helper does that the Python package
uiautomator2 puts on real phones.
"""
