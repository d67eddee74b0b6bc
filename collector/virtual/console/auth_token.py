"""The token that opens the consoles of an account's emulators.

As ``tokenLoadOrCreate`` of the emulator's console_auth.cpp: twelve random bytes in base64, in a file that
only its owner can read. An empty file means that no console asks for it.
"""

from __future__ import annotations

import base64
import os
import secrets
from pathlib import Path

_FILE = ".emulator_console_auth_token"
_RANDOM_BYTES = 12


def token_path() -> Path:
    """The file in the home folder, the same for all emulators and adb."""
    return Path.home() / _FILE


def read_token(path: Path) -> str:
    """The token in a file, which is made when there is none.

    Raises OSError, and ValueError for a file that is not ASCII.
    """
    try:
        descriptor = os.open(path, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600)
    except FileExistsError:
        return path.read_text("ascii").strip()
    token = base64.b64encode(secrets.token_bytes(_RANDOM_BYTES)).decode("ascii")
    with os.fdopen(descriptor, "w", encoding="ascii") as file:
        file.write(token)
    return token
