"""The words that the rules hide in one trajectory, by the part of it in which they are hidden."""

from __future__ import annotations

import dataclasses
import html
import re
from collections.abc import Iterable
from typing import Any

from collector.hierarchy.encoding import decode
from collector.model.episode import AGENT_LOG_EVENT
from collector.model.trajectory import Step
from collector.redaction_rules.redaction_rule import (
    CAPTIONS,
    PIXELS,
    SAID,
    THOUGHTS,
    TREE,
    TYPED,
    RedactionRule,
)
from collector.store.redaction.line_masking import masked_line
from collector.store.redaction.screens import MASK
from collector.store.redaction.secret_text import SecretTexts
from collector.store.trajectory import codec
from collector.store.trajectory.codec import Line

_OF_KEYS = {"action": TYPED, "agent": THOUGHTS, "target": TREE}
"""Of a line of a step or an event; all others are captions."""
_ATTRIBUTE = re.compile(r"""(\s)([\w:.-]+)(\s*=\s*)("[^"]*"|'[^']*')""")
_BETWEEN_TAGS = re.compile(r">([^<>]*[^<>\s][^<>]*)<")
_NO_WORDS = frozenset(
    ("index", "resource-id", "class", "package", "bounds", "rotation", "encoding", "version", "password",
     "checkable", "checked", "clickable", "enabled", "focusable", "focused", "scrollable", "long-clickable",
     "selected", "visible-to-user", "drawing-order", "display-id", "NAF", "width", "height")
)  # fmt: skip
"""Attributes of a dump that a program writes, and in which no text of a person stands."""


class HiddenWords:
    """For each part, the words that are hidden there; grows with every screen. One thread at a time."""

    def __init__(self) -> None:
        self._parts = {part: SecretTexts() for part in (TYPED, CAPTIONS, THOUGHTS, TREE, PIXELS)}
        self.everywhere = SecretTexts()
        """Those that are hidden in all that is typed, said and written."""

    def __bool__(self) -> bool:
        return any(map(bool, self._parts.values()))

    @property
    def on_screens(self) -> SecretTexts:
        """Those whose nodes are covered in pictures, too."""
        return self._parts[PIXELS]

    @property
    def in_trees(self) -> SecretTexts:
        return self._parts[TREE]

    @property
    def captions(self) -> SecretTexts:
        return self._parts[CAPTIONS]

    def learn(self, words: Iterable[tuple[RedactionRule, str]]) -> list[str]:
        """Hide words by the rules that found them. Returns those that are new."""
        new = []
        for rule, word in words:
            if not rule.learns_words:
                continue
            parts = set(rule.parts)
            if TREE not in parts:
                parts.discard(PIXELS)  # nothing looks for the word on other screens
            is_new = [self._parts[part].add(word) for part in sorted(parts)]
            if parts >= SAID:
                is_new.append(self.everywhere.add(word))
            if any(is_new):
                new.append(word)
        return new

    def masked_line(self, line: Line) -> Line:
        """The line of a step or an event without the words."""
        if not self:
            return line
        is_log = line.get("kind") == AGENT_LOG_EVENT
        masked: dict[str, Any] = {}
        for key, value in line.items():
            part = THOUGHTS if is_log else _OF_KEYS.get(key, CAPTIONS)
            masked.update(masked_line({key: value}, self._parts[part]))
        return masked

    def masked_step(self, step: Step) -> Step:
        """The step without the words, its files as they are."""
        if not self:
            return step
        line = codec.step_to_line(step)
        masked = self.masked_line(line)
        if masked == line:
            return step
        read = codec.step_from_line(masked)
        return dataclasses.replace(read, state=dataclasses.replace(step.state, app_data=read.state.app_data))

    def find_in_dump(self, dump: bytes) -> bool:
        """Whether a dump may have any of the words: most need not be parsed."""
        if not self.in_trees:
            return False
        text, _repairs = decode(dump)
        return self.in_trees.finds(html.unescape(text))


def masked_attributes(dump: bytes, words: SecretTexts) -> bytes:
    """A dump in UTF-8 whose attributes, and texts between elements, have none of ``words``.

    Those that hold one are masked whole. The bytes of all others stay.
    """
    if not words:
        return dump
    text, _repairs = decode(dump)
    if not words.finds(html.unescape(text)):  # one look at all of it, where each attribute would take one
        return dump

    def attribute(found: re.Match[str]) -> str:
        space, name, equals, quoted = found.groups()
        if name in _NO_WORDS or not words.finds(html.unescape(quoted[1:-1])):
            return found[0]
        return f'{space}{name}{equals}"{MASK}"'

    def between(found: re.Match[str]) -> str:
        return f">{MASK}<" if words.finds(html.unescape(found[1])) else found[0]

    masked = _BETWEEN_TAGS.sub(between, _ATTRIBUTE.sub(attribute, text))
    return dump if masked == text else masked.encode("utf-8", "replace")
