"""Run a private virtual X server (Xvfb) with its own display number and access key."""

from __future__ import annotations

import os
import secrets
import select
import struct
import subprocess
from pathlib import Path
from types import TracebackType
from typing import Self

from collector.host.programs import Signals, find_program, start_program
from collector.model.i18n import _
from studio.app.demo.errors import TourError

SCREEN = "3200x2000x24"
"""Room for a window of 1600 x 1000 at scale 2."""
_START_S = 20.0
_END_S = 5.0
_ANY_DISPLAY = 0xFFFF
_KEY_KIND = b"MIT-MAGIC-COOKIE-1"


def is_available() -> bool:
    """Whether Xvfb and xdotool are installed."""
    return find_program("Xvfb") is not None and find_program("xdotool") is not None


class XServer:
    """Runs while in a ``with`` block; ``environment`` holds the variables for its clients."""

    def __init__(self, folder: Path) -> None:
        """The key file and the log are written to ``folder``."""
        self._folder = folder
        self._process: subprocess.Popen[bytes] | None = None
        self.environment: dict[str, str] = {}

    def __enter__(self) -> Self:
        self._folder.mkdir(parents=True, exist_ok=True)
        key = self._folder / "xauthority"
        _write_key(key)
        read_end, write_end = os.pipe()
        log = (self._folder / "xserver.log").open("wb")
        with log:
            self._process = start_program(
                ["Xvfb", "-displayfd", str(write_end), "-screen", "0", SCREEN, "-dpi", "96",
                 "-nolisten", "tcp", "-noreset", "-auth", str(key.absolute())],
                stdout=log, stderr=log, signals=Signals.OWN_SESSION, inherits=[write_end],
            )  # fmt: skip
        os.close(write_end)
        try:
            number = _first_line(read_end)
        finally:
            os.close(read_end)
        if not number:
            self.close()
            raise TourError(
                _("The virtual X server did not start"),
                to_do=_("See {path}", path=self._folder / "xserver.log"),
            )
        self.environment = {"DISPLAY": f":{number}", "XAUTHORITY": str(key.absolute())}
        return self

    def __exit__(
        self, _kind: type[BaseException] | None, _error: BaseException | None, _trace: TracebackType | None
    ) -> None:
        self.close()

    def close(self) -> None:
        """End the server process."""
        process, self._process = self._process, None
        if process is not None and process.poll() is None:
            process.terminate()
            try:
                process.wait(_END_S)
            except subprocess.TimeoutExpired:
                process.kill()
                process.wait()


def _write_key(path: Path) -> None:
    """Write an access key for any display number, because the server chooses the number."""
    fields = (b"", b"", _KEY_KIND, secrets.token_bytes(16))
    entry = struct.pack(">H", _ANY_DISPLAY) + b"".join(
        struct.pack(">H", len(field)) + field for field in fields
    )
    path.touch(mode=0o600)
    path.write_bytes(entry)


def _first_line(source: int) -> str:
    """The display number that the server prints when it listens; empty when it ended or timed out."""
    text = b""
    while not text.endswith(b"\n"):
        ready, _write, _errors = select.select([source], [], [], _START_S)
        chunk = os.read(source, 64) if ready else b""
        if not chunk:
            return ""
        text += chunk
    return text.decode("ascii").strip()
