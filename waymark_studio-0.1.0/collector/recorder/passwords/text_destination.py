"""Tell where a text goes that an agent types: into a plain field, into a password field, or nobody knows.

A text whose destination nobody knows is shown only if a plain field shows it afterwards.
"""

from __future__ import annotations

from collections.abc import Iterable
from enum import Enum

from collector.hierarchy.captions import focused_field, takes_text
from collector.hierarchy.password_fields import asks_for_password, field_at, has_password_field
from collector.model.geometry import Point
from collector.model.tree import Node, Tree
from collector.recorder.passwords.password_detection import is_private, is_secret_text, takes_password
from collector.recorder.screen_moment import ScreenMoment
from collector.store.redaction.secret_text import SHORTEST

_MOVES_ON = "\t\n\r\v\f"
"""Characters that may move the focus to another field."""


class TextDestination(Enum):
    """What takes a text."""

    PLAIN = "plain"
    PASSWORD = "password"  # noqa: S105 - a kind of field
    UNKNOWN = "unknown"


def predicted_destination(text: str, seen: ScreenMoment, place: Point | None) -> TextDestination:
    """Where a text will go, by the screen that the agent saw; ``place`` is what it taps before it types."""
    if place is None:
        return destination_on(text, seen)
    field = field_at(seen.tree, place) if seen.tree is not None else None
    if field is not None and is_private(field, seen):
        return TextDestination.PASSWORD
    is_doubtful = field is None or seen.secure or _moves_on(text)
    return TextDestination.UNKNOWN if is_doubtful and seen.hides_passwords else TextDestination.PLAIN


def destination_on(text: str, now: ScreenMoment, tapped: Node | None = None) -> TextDestination:
    """Where a text goes that is typed now; ``tapped`` is the field that was tapped just before.

    A phone may need a moment to give a field the focus: then another one still has it.
    """
    focused = focused_field(now.tree) if now.tree is not None else None
    if tapped is not None and not is_private(tapped, now) and takes_password(now):
        return TextDestination.UNKNOWN  # the focus is on its way
    if is_secret_text(now, None, tapped):
        return TextDestination.PASSWORD if now.tree is not None else TextDestination.UNKNOWN
    if not now.hides_passwords:
        return TextDestination.PLAIN
    is_field = focused is not None and takes_text(focused)
    is_certain = now.tree is not None and not now.tree_problem and not has_password_field(now.tree)
    return (
        TextDestination.PLAIN if is_field and is_certain and not _moves_on(text) else TextDestination.UNKNOWN
    )


def is_shown(text: str, before: Tree | None, after: Tree | None) -> bool:
    """Whether a plain field shows a text afterwards: the one that has the focus, or one that did not before.

    A text of one or two letters is on a screen by chance.
    """
    wanted = _letters(text)
    field = focused_field(after) if after is not None else None
    if field is not None and takes_text(field) and _count(wanted, (field,)):
        return True
    return len(wanted) >= SHORTEST and _count(wanted, after or ()) > _count(wanted, before or ())


def moved_to_password(text: str, after: ScreenMoment, before: Tree | None) -> bool:
    """Whether a text that seemed to go into a plain field may be in a password field after all."""
    ends_itself = text.endswith(tuple(_MOVES_ON))
    return not ends_itself and takes_password(after) and not is_shown(text, before, after.tree)


def _count(wanted: str, nodes: Iterable[Node]) -> int:
    """How often plain nodes show a text."""
    has_letters = wanted.isalnum()
    return sum(
        (_letters(node.text) if has_letters else node.text).count(wanted)
        for node in nodes
        if not asks_for_password(node)
    )


def _letters(text: str) -> str:
    """The letters and digits of a text, which a field may format; all of a text without any."""
    return "".join(filter(str.isalnum, text.casefold())) or text.strip()


def _moves_on(text: str) -> bool:
    return any(character in text.rstrip(_MOVES_ON) for character in _MOVES_ON)
