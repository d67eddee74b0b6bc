"""Redact what judges and people wrote about a step: in ``judgements/`` and ``annotations/``."""

from __future__ import annotations

from collections.abc import Collection
from pathlib import Path
from typing import Any

from collector.store.files import layout
from collector.store.files.disk import Disk
from collector.store.files.links import refuse_link
from collector.store.redaction.secret_text import SecretTexts
from collector.store.trajectory import codec
from collector.store.trajectory.codec import Line
from collector.store.trajectory.trajectory_files import read_document, read_lines

_SAID = ("reason", "raw", "proof")
"""Keys of a judgement that say in words, or show, what its judge saw."""


def redact_annotations(
    folder: Path, secrets: SecretTexts, steps: Collection[int] = (), disk: Disk | None = None
) -> None:
    """Mask ``secrets`` in all judgements and annotations of the trajectory in ``folder``.

    A judgement on a window that holds one of ``steps`` keeps its verdict and loses its words.
    Raises StoreError; each file is whole or unchanged.
    """
    disk = disk or Disk()
    for place in (layout.JUDGEMENTS, layout.ANNOTATIONS):
        refuse_link(folder / place)
    for path in sorted((folder / layout.JUDGEMENTS).glob("*.jsonl")):
        file = read_lines(path)
        data = b"".join(_without_words(line, steps, secrets) for line in file.raw_lines())
        if data != file.data or file.torn:  # nobody can say what a torn line shows
            disk.write(path, data)
    for path in sorted((folder / layout.ANNOTATIONS).glob("*.json")):
        document = read_document(path)
        masked = secrets.masked(document)
        if masked != document and isinstance(masked, dict):
            disk.write(path, codec.dump_document(masked))


def _without_words(raw: bytes, steps: Collection[int], secrets: SecretTexts) -> bytes:
    masked = secrets.masked_json(raw)
    try:
        line = codec.load_json(masked)
    except ValueError:
        return masked
    if not isinstance(line, dict) or not _covers(line, steps):
        return masked
    silent: Line = {key: value for key, value in line.items() if key not in _SAID}
    return masked if silent == line else codec.dump_line(silent)


def _covers(line: Line, steps: Collection[int]) -> bool:
    """Whether a judgement is about any of ``steps``."""
    subject: Any = line.get("subject")
    if not isinstance(subject, dict):
        return False
    first, last = subject.get("first"), subject.get("last")
    first, last = first if first is not None else last, last if last is not None else first
    if not isinstance(first, int) or not isinstance(last, int):
        return False
    return any(first <= index <= last for index in steps)
