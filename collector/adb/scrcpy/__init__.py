"""The scrcpy wire, without input or output: one codec for our client and for the virtual phone's server.

All integers are big-endian. The protocol is internal to scrcpy and changes between
releases, so whatever differs is asked of a :class:`~collector.adb.scrcpy.version.Version`.
"""
