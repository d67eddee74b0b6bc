"""The line of a cursor, up to the cursor: open brackets, keys, quotes and the current word."""

from __future__ import annotations

import re

_WORD_END = re.compile(r"[^\r\n]*")


def in_comment(line: str) -> bool:
    """Whether the end of ``line`` is in a comment; a ``#`` in quotes does not begin one."""
    quote = ""
    for at, sign in enumerate(line):
        if quote:
            quote = "" if sign == quote else quote
        elif sign in "\"'" and (at == 0 or line[at - 1] in " \t[{,:-"):
            quote = sign
        elif sign == "#" and (at == 0 or line[at - 1] in " \t"):
            return True
    return False


class CursorLine:
    """Scans the line up to the cursor for open brackets and keys and for the current word."""

    def __init__(self, text: str, offset: int, rest: str, rest_at: int) -> None:
        self._text = text
        self._rest = rest
        self._at = rest_at
        self.offset = offset
        self.path: list[str] = []
        """Keys from the mapping of the line to the mapping or list at the cursor."""
        self.siblings: dict[str, str] = {}
        self.items: list[str] = []
        self.depth = 0
        self.in_list = False
        self.key: str | None = None
        """The key whose value is at the cursor; None when the cursor is in a key."""
        self.word_at = rest_at
        self.quote = ""

    def read(self) -> None:
        """Scan the line character by character, skipping quoted texts."""
        stack: list[tuple[bool, str | None, dict[str, str], list[str]]] = []
        at = 0
        while at < len(self._rest):
            sign = self._rest[at]
            if sign in "\"'" and not self._word(at).strip():
                at = self._quoted(at)
                continue
            if sign in "[{" and not self._word(at).strip():
                stack.append((self.in_list, self.key, self.siblings, self.items))
                self.path += [self.key] if self.key else []
                self.in_list, self.key, self.siblings, self.items = sign == "[", None, {}, []
                self._begin(at + 1)
            elif sign in "]}" and stack:
                self.in_list, self.key, self.siblings, self.items = stack.pop()
                self.path = self.path[:-1] if self.key else self.path
                self._begin(at + 1)
            elif sign == "," and stack:
                self._end_entry(at)
            elif (
                sign == ":"
                and not self.in_list
                and self.key is None
                and self._rest[at + 1 : at + 2] in ("", " ")
            ):
                self.key = self._word(at).strip().strip("\"'")
                self.siblings[self.key] = ""
                self._begin(at + 1)
            at += 1
        self.depth = len(stack)

    def _quoted(self, at: int) -> int:
        """The end of a quoted text; a text still open at the cursor is the current word."""
        sign = self._rest[at]
        end = self._rest.find(sign, at + 1)
        while end > 0 and sign == '"' and self._rest[end - 1] == "\\":
            end = self._rest.find(sign, end + 1)
        if end < 0:
            self.quote = sign
            self.word_at = self._at + at
            return len(self._rest)
        return end + 1

    def _end_entry(self, at: int) -> None:
        word = self._word(at).strip().strip("\"'")
        if self.in_list:
            self.items.append(word)
        elif self.key is not None:
            self.siblings[self.key] = word
            self.key = None
        self._begin(at + 1)

    def _begin(self, at: int) -> None:
        self.word_at = self._at + at
        self.quote = ""

    def _word(self, at: int) -> str:
        return self._rest[max(0, self.word_at - self._at) : at]

    @property
    def prefix(self) -> str:
        return self._text[self.word_at : self.offset].lstrip(" \t").lstrip(self.quote or "\0")

    @property
    def span(self) -> tuple[int, int]:
        """Start and end of the text that a completion replaces: the word and its quotes."""
        start = self.word_at
        while start < self.offset and self._text[start] in " \t":
            start += 1
        rest = _WORD_END.match(self._text, self.offset)
        tail = rest[0] if rest is not None else ""
        if self.quote:
            closing = tail.find(self.quote)
            return start, self.offset + closing + 1 if closing >= 0 else self.offset
        stop = re.search(r"[,\[\]{}]|\s#" if self.depth else r"\s#|:(?:\s|$)", tail)
        length = stop.start() if stop else len(tail)
        return start, self.offset + len(tail[:length].rstrip())
