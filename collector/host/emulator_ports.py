"""The pairs of ports of emulators: an even one for the console, the next one for adb."""

from __future__ import annotations

from collector.host.file_lock import HeldFile, hold, lock_path
from collector.host.sockets import is_free
from collector.host.user_folders import runtime_folder

PORTS = range(5554, 5682, 2)
"""Console ports an emulator takes; the port after each is that of adb."""
_LOCKS = "emulator-ports"


def serial_of(port: int) -> str:
    """adb's name for the emulator whose console is at ``port``."""
    return f"emulator-{port}"


def take_ports(ports: range) -> tuple[HeldFile, int] | None:
    """A free pair of ports, and the lock that keeps other programs of this account from it.

    None when no pair is free.
    """
    for port in ports:
        lock = hold(lock_path(runtime_folder() / _LOCKS, str(port)), {})
        if lock is None:
            continue
        if is_free(port) and is_free(port + 1):
            return lock, port
        lock.release()
    return None
