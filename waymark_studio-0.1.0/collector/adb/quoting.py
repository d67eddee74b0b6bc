"""Quote arguments of the device's shell: the only way a value may enter a command line.

``adb shell`` joins its arguments with spaces and the phone's shell reads the result, so
every value that is not a literal of this program goes through :func:`quote`.
"""

from __future__ import annotations

import shlex
from collections.abc import Iterable


def quote(word: str) -> str:
    """Quote ``word`` as one argument; raise ValueError for a NUL, which no argument can hold."""
    if "\0" in word:
        raise ValueError("a shell argument cannot contain a NUL character")
    return shlex.quote(word)


def join(words: Iterable[str | int | float]) -> str:
    """Return a command line of quoted words."""
    return " ".join(quote(str(word)) for word in words)


def input_text(text: str) -> str:
    """Encode ``text`` as the argument of ``input text``, unquoted: a space becomes ``%s``.

    Raise ValueError for what the device's key character map cannot type (anything that is
    not printable ASCII) and for a literal ``%s``, which would become a space.
    """
    if not all(" " <= character <= "~" for character in text):
        raise ValueError("input text types printable ASCII only; paste other characters")
    if "%s" in text:
        raise ValueError("input text turns %s into a space; type it in two parts")
    return text.replace(" ", "%s")
