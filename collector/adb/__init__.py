"""Sans-IO codecs of what travels between a computer and a phone, and readers of what a phone prints.

Codecs take and give bytes and never touch a socket, so the same code serves the virtual device,
the device layer and the tests of both.
"""
