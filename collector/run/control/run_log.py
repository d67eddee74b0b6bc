"""The events of the runs of an experiment in a file, without pictures, one line each."""

from __future__ import annotations

import contextlib
import json
import logging
from collections.abc import Iterator
from pathlib import Path
from typing import IO

from collector.run.control.event_masking import masked_values
from collector.run.control.run_snapshot import without_picture
from collector.run.events import EpisodeEnded, RunBegan, RunEvent, from_line, to_line
from collector.store.files.disk import Disk
from collector.store.files.errors import StoreError
from collector.store.redaction.secret_text import SecretTexts
from collector.store.trajectory import codec

_LARGEST = 32 * 1024 * 1024
"""A log that is larger when a run begins is begun anew."""
_BLOCK = 64 * 1024
_BEGAN, _ENDED = (json.dumps({"kind": kind.kind})[:-1].encode() for kind in (RunBegan, EpisodeEnded))
"""How lines of these events begin."""
_log = logging.getLogger(__name__)


class RunLog:
    """Appends events to a file. A disk that refuses them never stops a run: they are in the episodes too."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._file: IO[str] | None = None
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            is_large = path.exists() and path.stat().st_size > _LARGEST
            self._file = path.open("w" if is_large else "a", encoding="utf-8", newline="\n", buffering=1)
        except OSError as error:
            _log.info("%s cannot be written: %s", path.name, error)

    def add(self, event: RunEvent) -> None:
        """Write an event."""
        if self._file is None:
            return
        try:
            self._file.write(json.dumps(to_line(without_picture(event)), ensure_ascii=False) + "\n")
        except (OSError, ValueError) as error:
            _log.info("an event was not written to %s: %s", self._path.name, error)

    def ended_episodes(self) -> dict[str, EpisodeEnded]:
        """How each cell of the run ended last, by ``Cell.id``, as far as the file says."""
        ended: dict[str, EpisodeEnded] = {}
        try:
            with self._path.open("rb") as lines:
                for line in lines:
                    if line.startswith(_BEGAN):
                        ended.clear()
                    elif line.startswith(_ENDED):
                        event = from_line(json.loads(line))
                        if isinstance(event, EpisodeEnded):
                            ended[event.cell] = event
        except (OSError, ValueError) as error:
            _log.info("%s cannot be read whole: %s", self._path.name, error)
        return ended

    def hide(self, secrets: SecretTexts) -> None:
        """Mask texts in everything that the file holds, also of earlier runs."""
        if self._file is None:
            return
        try:
            with self._path.open("rb") as lines:
                if all(_masked_line(line, secrets) == line for line in lines):
                    return
            self._file.close()
            try:
                with self._path.open("rb") as lines:
                    Disk().write_parts(self._path, _masked_blocks(lines, secrets))
            finally:
                self._file = self._path.open("a", encoding="utf-8", newline="\n", buffering=1)
        except (OSError, StoreError) as error:
            _log.warning("a password could not be masked in %s: %s", self._path.name, error)

    def close(self) -> None:
        """Close the file. May be called twice."""
        file, self._file = self._file, None
        if file is not None:
            with contextlib.suppress(OSError):
                file.close()


def _masked_blocks(lines: IO[bytes], secrets: SecretTexts) -> Iterator[bytes]:
    """The masked lines of a file, many together: a log may be larger than memory."""
    while block := lines.readlines(_BLOCK):
        yield b"".join(_masked_line(line, secrets) for line in block)


def _masked_line(line: bytes, secrets: SecretTexts) -> bytes:
    try:
        values = codec.load_json(line)
    except ValueError:
        return secrets.masked_json(line)
    masked = masked_values(values, secrets) if isinstance(values, dict) else values
    return line if masked == values else json.dumps(masked, ensure_ascii=False).encode() + b"\n"
