"""Caret and selection of a text field, and how typing changes its text."""

from __future__ import annotations

from dataclasses import dataclass

from collector.model.text.characters import characters


@dataclass(frozen=True, slots=True)
class Edit:
    """A text with a caret; ``anchor`` is the other end of a selection."""

    text: str
    caret: int
    anchor: int | None = None

    @property
    def selection(self) -> tuple[int, int] | None:
        """(start, end) of what is selected, or None."""
        if self.anchor is None or self.anchor == self.caret:
            return None
        return min(self.anchor, self.caret), max(self.anchor, self.caret)

    def insert(self, words: str) -> Edit:
        start, end = self.selection or (self.caret, self.caret)
        return Edit(self.text[:start] + words + self.text[end:], start + len(words))

    def backspace(self) -> Edit:
        """Delete the selection, or the user-perceived character before the caret."""
        if self.selection:
            return self.insert("")
        start = previous_place(self.text, self.caret)
        return Edit(self.text[:start] + self.text[self.caret :], start)

    def delete(self) -> Edit:
        if self.selection:
            return self.insert("")
        return Edit(self.text[: self.caret] + self.text[next_place(self.text, self.caret) :], self.caret)

    def delete_word(self) -> Edit:
        before = self.text[: self.caret].rstrip()
        start = before.rfind(" ") + 1
        return Edit(self.text[:start] + self.text[self.caret :], start)

    def replace_word(self, word: str) -> Edit:
        """Replace the word before the caret by ``word`` and a space."""
        start = self.text[: self.caret].rfind(" ") + 1
        done = self.text[:start] + word + " "
        return Edit(done + self.text[self.caret :].lstrip(), len(done))

    def move(self, place: int, select: bool = False) -> Edit:
        """Move the caret to ``place``; ``select`` extends the selection."""
        place = min(max(place, 0), len(self.text))
        anchor = (self.caret if self.anchor is None else self.anchor) if select else None
        return Edit(self.text, place, anchor)

    def select_all(self) -> Edit:
        return Edit(self.text, len(self.text), 0)

    def select_word(self) -> Edit:
        """Select the word around the caret."""
        start = end = self.caret
        while start > 0 and not self.text[start - 1].isspace():
            start -= 1
        while end < len(self.text) and not self.text[end].isspace():
            end += 1
        return Edit(self.text, end, start)

    @property
    def selected(self) -> str:
        start, end = self.selection or (0, 0)
        return self.text[start:end]


def previous_place(text: str, place: int) -> int:
    """Start of the user-perceived character before ``place``."""
    before = characters(text[: max(0, place)])
    return sum(map(len, before[:-1]))


def next_place(text: str, place: int) -> int:
    """End of the user-perceived character after ``place``."""
    after = characters(text[place:])
    return place + len(after[0]) if after else len(text)
