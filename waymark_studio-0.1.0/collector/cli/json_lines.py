"""Lines of JSON on standard output, and nothing else there: what libraries print goes to standard error."""

from __future__ import annotations

import contextlib
import io
import json
import os
import sys
from collections.abc import Iterator
from typing import TextIO


class JsonLines:
    """Prints documents, each on a line of its own, at once."""

    def __init__(self, stream: TextIO) -> None:
        self._stream = stream

    def print(self, document: object) -> None:
        """Print a document; characters beyond ASCII are escaped."""
        self._stream.write(json.dumps(document, ensure_ascii=True, separators=(", ", ": ")) + "\n")
        self._stream.flush()


@contextlib.contextmanager
def json_lines_alone() -> Iterator[JsonLines]:
    """Keep standard output for lines of JSON until the end of the block.

    Ray prints to it, its processes too; so the file descriptor is led to standard error, not ``sys.stdout``
    alone.
    """
    out = sys.stdout
    out.flush()
    descriptor = _descriptor(out)
    if descriptor is None:  # as in a test, and in a program without a console
        with contextlib.redirect_stdout(sys.stderr):
            yield JsonLines(out)
        return
    kept = os.dup(descriptor)
    try:
        os.dup2(_descriptor(sys.stderr) or descriptor, descriptor)
        with os.fdopen(os.dup(kept), "w", encoding="utf-8", newline="") as lines:
            yield JsonLines(lines)
    finally:
        out.flush()
        os.dup2(kept, descriptor)
        os.close(kept)


def _descriptor(stream: TextIO) -> int | None:
    try:
        return stream.fileno()
    except (AttributeError, OSError, ValueError, io.UnsupportedOperation):
        return None
