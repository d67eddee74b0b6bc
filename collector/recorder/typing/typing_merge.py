"""Merge texts and backspaces into the text that was finally typed."""

from __future__ import annotations

from dataclasses import dataclass

from collector.model.text.characters import characters

PAUSE_NS = 1_500_000_000


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
            self._text = "".join(characters(self._text)[:-1])
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
