"""Texts in console lines, with the escapes of ``sms_utf8_from_message_str`` of the emulator's sms.c."""

from __future__ import annotations

import re

from collector.virtual.console.command_table import ConsoleError

_ESCAPES = """message must be utf8 and can use the following escapes:
    \\n      for a newline
    \\xNN    where NN are two hexadecimal numbers
    \\uNNNN  where NNNN are four hexadecimal numbers
    \\\\     to send a '\\' character

    anything else is an error
"""
_ESCAPE = re.compile(r"\\(?:(n)|x([0-9A-Fa-f]{2})|u([0-9A-Fa-f]{4})|(\\))|(\\)")


def read_text(words: str) -> str:
    """A text without its escapes. Raises ConsoleError for an unknown one."""

    def read(match: re.Match[str]) -> str:
        if match[5]:
            raise ConsoleError("badly formatted text", _ESCAPES)
        if match[1]:
            return "\n"
        return "\\" if match[4] else chr(int(match[2] or match[3], 16))

    # Half a pair of UTF-16 is no character.
    return _ESCAPE.sub(read, words).encode("utf-16", "surrogatepass").decode("utf-16", "replace")
