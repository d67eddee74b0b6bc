"""The file that a window lets its runner print to; the runner writes it, and masks what is to be hidden."""

from __future__ import annotations

import logging
from pathlib import Path

from collector.store.redaction.screens import MASK
from collector.store.redaction.secret_text import SecretTexts

_MASK = MASK.encode()
_log = logging.getLogger(__name__)


def hide_in_output(path: Path, secrets: SecretTexts) -> None:
    """Write over each line that holds one of ``secrets``; the file keeps its length for who is writing it."""
    try:
        with path.open("rb") as lines, path.open("r+b") as file:
            at = 0
            for line in lines:
                if secrets.finds(line.decode("utf-8", "replace")):
                    end = len(line) - len(line.rstrip(b"\r\n"))
                    covered = len(line) - end
                    file.seek(at)
                    file.write((_MASK if covered >= len(_MASK) else b"").ljust(covered))
                at += len(line)
    except FileNotFoundError:
        return
    except OSError as error:
        _log.warning("a password could not be masked in %s: %s", path.name, error)
