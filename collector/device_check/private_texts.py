"""Keep what is private out of the sentences of a check: they are sent to others."""

from __future__ import annotations

import re
from collections.abc import Iterable
from pathlib import Path

from collector.model.text.one_line import one_line

HIDDEN = "…"
_LONGEST = 300
_SHORTEST = 4
"""A shorter word of a phone, such as its serial ``1``, is in too many others."""
_JAVA = re.compile(
    r"(?:Exception occurred while executing '[^']*':\s*)?"
    r"(?:[\w$]+\.)+([\w$]*(?:Exception|Error))\b.*?(?=\. [A-Z]|$)",
    re.DOTALL,
)
"""What Android says of an exception: of it the last word of its class is kept."""
_PATTERNS = (
    re.compile(r"\b(?:\d{1,3}\.){3}\d{1,3}(?::\d+)?\b"),  # an address of the network
    re.compile(r"\b(?:[0-9a-fA-F]{2}:){5}[0-9a-fA-F]{2}\b"),
    re.compile(r"[\w.+-]+@[\w-]+\.[\w.]+"),  # an account
    re.compile(r"(?<![\w.])\+?\d[\d -]{7,}\d(?![\w.])"),  # a phone number
    re.compile(r"(?<![\w/])/(?:home|Users|root|tmp|opt|usr|var|work)/\S*"),  # a path of this computer
    re.compile(r"\b[A-Za-z]:\\\S*"),
)


class PrivateTexts:
    """The words that only this phone and this computer have."""

    def __init__(self, words: Iterable[str]) -> None:
        known = {*words, str(Path.home())}
        self._words = sorted((word for word in known if len(word) >= _SHORTEST), key=len, reverse=True)

    def hidden(self, text: str) -> str:
        """The text on one line, without these words, addresses, accounts and phone numbers."""
        for word in self._words:
            text = text.replace(word, HIDDEN)
        text = _JAVA.sub(r"\1", text)
        for pattern in _PATTERNS:
            text = pattern.sub(HIDDEN, text)
        return one_line(text, _LONGEST)
