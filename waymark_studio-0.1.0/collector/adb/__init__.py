"""Codecs of adb's and scrcpy's protocols, without I/O, and parsers of what a phone prints.

Codecs take and return bytes and never touch a socket, so the virtual device, the device layer and the tests
share them.
"""
