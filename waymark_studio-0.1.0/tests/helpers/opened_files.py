"""Note which files below a folder this process opens, whatever opens them."""

from __future__ import annotations

import contextlib
import os
import sys
from collections.abc import Iterator

_watched: list[tuple[str, list[str]]] = []
_is_hooked = False


def _note(event: str, arguments: tuple[object, ...]) -> None:
    if event == "open" and _watched and isinstance(arguments[0], (str, bytes)):
        path = os.fsdecode(arguments[0])
        for folder, opened in _watched:
            if path.startswith(folder):
                opened.append(path)


@contextlib.contextmanager
def opened_below(folder: str) -> Iterator[list[str]]:
    """The files whose paths begin with ``folder`` that are opened meanwhile, also those that are missing."""
    global _is_hooked
    if not _is_hooked:  # a hook stays until the process ends
        sys.addaudithook(_note)
        _is_hooked = True
    watched: tuple[str, list[str]] = (folder, [])
    _watched.append(watched)
    try:
        yield watched[1]
    finally:
        _watched.remove(watched)
