"""Merge texts and backspaces into the text that was finally typed."""

from __future__ import annotations

import unicodedata
from dataclasses import dataclass

PAUSE_NS = 1_500_000_000
_JOINER = "\u200d"
_ATTACHED = frozenset({"\ufe0e", "\ufe0f", *map(chr, range(0x1F3FB, 0x1F400))})


@dataclass(frozen=True, slots=True)
class TypedText:
    """``text`` is what remained; ``erased`` counts backspaces that deleted text from before the typing."""

    text: str
    erased: int
    started_ns: int
    last_ns: int = 0


class TypingMerge:
    """Text that is being typed. A pause, Enter or any other action ends it."""

    def __init__(self, pause_ns: int = PAUSE_NS) -> None:
        self._pause_ns = pause_ns
        self._text = ""
        self._erased = 0
        self._started_ns: int | None = None
        self._last_ns = 0

    @property
    def is_open(self) -> bool:
        return self._started_ns is not None

    def __len__(self) -> int:
        return len(self._text)

    def add(self, text: str, now_ns: int) -> None:
        self._touch(now_ns)
        self._text += text

    def backspace(self, now_ns: int) -> None:
        """Erase the last character as the phone does: an emoji with all its parts is one."""
        self._touch(now_ns)
        if self._text:
            self._text = _without_last(self._text)
        else:
            self._erased += 1

    def is_over(self, now_ns: int) -> bool:
        return self.is_open and now_ns - self._last_ns >= self._pause_ns

    def close(self) -> TypedText | None:
        """End the typing. Returns None when nothing was typed, or all of it was erased."""
        started = self._started_ns
        typed = TypedText(self._text, self._erased, started, self._last_ns) if started is not None else None
        self.__init__(self._pause_ns)  # type: ignore[misc]  # back to the state of a new object
        return typed if typed is not None and (typed.text or typed.erased) else None

    def _touch(self, now_ns: int) -> None:
        if self._started_ns is None:
            self._started_ns = now_ns
        self._last_ns = now_ns


def _without_last(text: str) -> str:
    end = len(text)
    while end:
        end -= 1
        char = text[end]
        if unicodedata.combining(char) or char in _ATTACHED:
            continue
        if end and text[end - 1] == _JOINER:
            end -= 1
            continue
        break
    return text[:end]
