"""The virtual phone's adbd: what a real ``adb`` talks to over TCP.

One thread reads a connection and never waits for anything else; every stream that a client
opens runs its service on a thread of its own, so a slow command or a stalled video holds
up nobody but its reader.
"""
