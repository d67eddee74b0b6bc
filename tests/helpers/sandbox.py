"""The sandbox of the tests: a home folder and an adb server of their own, no screen, one locale.

No test may reach the files, the adb server or the phones of the person who runs it. None waits for the
disk either: what a flush is for, a machine that loses its power, no test can bring about. What a recording
reserves of the disk has no blocks: in memory, where tests write, 16 MB would be cleared for each.
"""

from __future__ import annotations

import os
import shutil
import socket
import tempfile
from collections.abc import Callable
from pathlib import Path

from collector.host.sockets import free_port

ADB_KILL_REQUEST = b"0009host:kill"
# adb searches for emulators from port 5555 on; a lower limit turns the search off.
NO_EMULATORS = "5553"
CONSENT_FILES = ("state/*/allowed-hosts.json", "state/*/trusted.json", "config/*/keys.json")
real_allocate: Callable[[int, int, int], None] | None = getattr(os, "posix_fallocate", None)
"""The call that reserves blocks, where there is one."""
CLIENT_FOLDERS = ("WAYMARK_MOBILE_MCP", "WAYMARK_SCRCPY")
"""Variables that name clients installed by hand, which tests then try."""


def _uv_cache() -> Path:
    """The folder uv keeps packages in."""
    if os.name == "nt":
        return Path(os.environ.get("LOCALAPPDATA", Path.home() / "AppData" / "Local")) / "uv" / "cache"
    return Path(os.environ.get("XDG_CACHE_HOME", Path.home() / ".cache")) / "uv"


def _lengthen(file: int, start: int, size: int) -> None:
    os.ftruncate(file, max(os.fstat(file).st_size, start + size))


class Sandbox:
    """The environment of one test process, from ``enter`` to ``leave``."""

    def __init__(self) -> None:
        self.home = Path(tempfile.mkdtemp(prefix="waymark-tests-"))
        self.adb_port = free_port()
        self._before = dict(os.environ)
        self._fsync, self._sync = os.fsync, os.sync

    def enter(self) -> None:
        """Point every variable that names a person's folders, phones or screen at the sandbox."""
        # Packages that uv has fetched once are not fetched again for each run.
        os.environ.setdefault("UV_CACHE_DIR", str(_uv_cache()))
        folders = {
            "HOME": "",
            "USERPROFILE": "",
            "APPDATA": "roaming",
            "LOCALAPPDATA": "local",
            "XDG_CONFIG_HOME": "config",
            "XDG_CACHE_HOME": "cache",
            "XDG_DATA_HOME": "data",
            "XDG_STATE_HOME": "state",
            "XDG_RUNTIME_DIR": "run",
        }
        for name, folder in folders.items():
            path = self.home / folder
            path.mkdir(mode=0o700, exist_ok=True)
            os.environ[name] = str(path)
        for name in ("ANDROID_SERIAL", "ADB_SERVER_SOCKET", "ANDROID_ADB_SERVER_ADDRESS", "ADB_VENDOR_KEYS"):
            os.environ.pop(name, None)
        for name in list(os.environ):
            private = name.startswith(("QT_", "WAYMARK_")) or name == "LANGUAGE"
            if private and name not in CLIENT_FOLDERS:
                del os.environ[name]
        os.fsync = os.fstat  # type: ignore[assignment]  # it refuses a closed file as a flush does
        os.sync = os.getpid  # type: ignore[assignment]
        if real_allocate is not None:
            os.posix_fallocate = _lengthen
        os.environ |= {
            "ANDROID_ADB_SERVER_PORT": str(self.adb_port),
            "ADB_LOCAL_TRANSPORT_MAX_PORT": NO_EMULATORS,
            # A server that looks for USB phones takes three seconds to start.
            "ADB_USB": "0",
            "QT_QPA_PLATFORM": "offscreen",
            "LC_ALL": "C.UTF-8",
            "TZ": "UTC",
        }

    def forget_consent(self) -> None:
        """Take back what a test allowed in a person's name: hosts, commands, names of keys."""
        for pattern in CONSENT_FILES:
            for path in self.home.glob(pattern):
                path.unlink(missing_ok=True)

    def leave(self) -> None:
        """Stop the sandbox's adb server if a test started one, and remove the home folder."""
        try:
            with socket.create_connection(("127.0.0.1", self.adb_port), timeout=2) as server:
                server.sendall(ADB_KILL_REQUEST)
                server.recv(4)
        except OSError:
            pass  # no server was started, or it has ended
        os.fsync, os.sync = self._fsync, self._sync
        if real_allocate is not None:
            os.posix_fallocate = real_allocate
        os.environ.clear()
        os.environ.update(self._before)
        shutil.rmtree(self.home, ignore_errors=True)
