"""One process that serves fresh virtual phones, so that a test does not wait for a process of its own.

``PhoneServer`` is the side of the tests; the module runs as ``python -m tests.helpers.phone_server``.
"""

from __future__ import annotations

import contextlib
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from types import TracebackType
from typing import Self

from collector.model.geometry import Size
from tests.helpers.virtual import SMALL, AdbServer, adb_server, profile, read_line

_ROOT = Path(__file__).resolve().parents[2]


class PhoneServer:
    """A process of virtual phones and an adb server for them. Every phone is new, and gone after its test."""

    def __init__(self) -> None:
        self._cleanup = contextlib.ExitStack()
        self.adb: AdbServer

    def __enter__(self) -> Self:
        self.adb = self._cleanup.enter_context(adb_server())
        self._process = subprocess.Popen(
            [sys.executable, "-m", "tests.helpers.phone_server"],
            cwd=_ROOT,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
        )
        self._cleanup.enter_context(self._process)  # closes the pipes and waits
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._cleanup.close()

    @contextlib.contextmanager
    def phone(self, *, connected: bool = True, size: str = "", locale: str = "") -> Iterator[str]:
        """Yield the address of a new phone of 360 x 800 with all apps, connected to the adb server.

        ``size`` and ``locale`` make it another one: ``360x720``, ``zh-CN``.
        """
        address = self._request(f"start size={size} locale={locale}")
        try:
            if connected:
                self.adb.connect(address)
            yield address
        finally:
            self.adb.run("disconnect", address)
            self._request(f"close {address}")

    def _request(self, line: str) -> str:
        assert self._process.stdin is not None
        self._process.stdin.write(f"{line}\n".encode())
        self._process.stdin.flush()
        return read_line(self._process).decode().strip()


def serve() -> None:
    """Answer ``start`` and ``close ADDRESS`` with an address each, until stdin ends."""
    from collector.host.dataclass_methods import compile_methods_late

    compile_methods_late()
    from collector.host.quick_end import end_without_collecting
    from collector.virtual.device import VirtualDevice
    from collector.virtual.memory import configure_malloc

    configure_malloc()
    end_without_collecting()
    phones: dict[str, VirtualDevice] = {}
    for line in sys.stdin:
        verb, _space, address = line.strip().partition(" ")
        if verb == "start":
            given = dict(word.split("=") for word in address.split())
            changes: dict[str, object] = {"locale": given["locale"]} if given["locale"] else {}
            if given["size"]:
                changes["size"] = Size.parse(given["size"])
            phone = VirtualDevice(profile(**SMALL | changes))
            phone.start()
            address = phone.address
            phones[address] = phone
        else:
            phones.pop(address).close()
        sys.stdout.write(f"{address}\n")
        sys.stdout.flush()
    for phone in phones.values():
        phone.close()


if __name__ == "__main__":
    serve()
