"""Codec of the scrcpy protocol, without I/O, for the client and for the virtual phone's server.

All integers are big-endian. The protocol is internal to scrcpy and changes between
releases, so every difference is a property of :class:`~collector.adb.scrcpy.version.Version`.
"""
