"""Read the focused text field from trees, and tell what was typed between two readings of it."""

from __future__ import annotations

from dataclasses import dataclass

from collector.device.snapshot import TreeSnapshot
from collector.hierarchy.captions import focused_field
from collector.model.text.characters import characters
from collector.model.tree import Node, Tree

SETTLE_NS = 150_000_000
"""Time after which typed text is in its field."""
_BULLETS = frozenset("\u2022\u25cf*\u00b7\u2219")


@dataclass(frozen=True, slots=True, eq=False)
class FieldReading:
    """The focused field in one tree; ``node`` is None when no field had the focus.

    The tree shows some time between ``started_ns`` and ``finished_ns``: a dump waits until the screen rests.
    """

    node: Node | None
    started_ns: int
    finished_ns: int
    keyboard: bool
    """Whether the soft keyboard was shown."""
    screen: tuple[str, str] = ("", "")
    """Package and activity."""
    tree: Tree | None = None

    def is_same_field(self, other: FieldReading | None) -> bool:
        """Whether the same field had the focus in both."""
        if other is None or self.node is None or other.node is None:
            return False
        return field_key(self.node) == field_key(other.node)


def read_field(snapshot: TreeSnapshot) -> FieldReading:
    """The focused field of a snapshot."""
    node = focused_field(snapshot.tree) if snapshot.tree is not None else None
    return FieldReading(
        node,
        snapshot.started_ns,
        snapshot.finished_ns,
        snapshot.keyboard is not None,
        (snapshot.package, snapshot.activity),
        snapshot.tree,
    )


def field_key(node: Node) -> tuple[str, str]:
    """What identifies a field in two trees: its resource id, otherwise its path."""
    return node.class_name, node.resource_id or ".".join(map(str, node.path))


def same_field(tree: Tree | None, node: Node) -> Node | None:
    """The field ``node`` in another tree, focused there or not."""
    key = field_key(node)
    return next((other for other in tree if field_key(other) == key), None) if tree is not None else None


def text_of(node: Node | None) -> str:
    """The text in a field; a hint shown in an empty field is not text, if the tree tells them apart."""
    return "" if node is None or node.text == node.get("hint") else node.text


def typed_between(
    before: Node | None, after: Node, presses: int, *, before_is_text: bool = False
) -> tuple[str, int]:
    """The text that was typed into a field and the number of characters erased, by ``presses`` key presses.

    Most trees show the hint of an empty field as its text. It is taken for a hint when more changed than
    that many presses can change, or when letters turned into the dots of a password. ``before_is_text``
    says that it is no hint.
    """
    if text_of(after).startswith(text_of(before)):
        return text_of(after)[len(text_of(before)) :], 0
    # A backspace takes an emoji with all its parts: a part of it is never erased alone.
    old, new = characters(text_of(before)), characters(text_of(after))
    if after.password and _BULLETS.intersection(new) and not _BULLETS.intersection(old):
        return "".join(new), 0
    text, erased = _difference(old, new)
    no_hint = before_is_text or (before is not None and bool(before.get("hint")))
    if new and not no_hint and erased + len(text) > presses:
        return "".join(new), 0
    common = _common_prefix(old, new)
    at_end = new[common:], len(old) - common
    # Erased from the end and typed again, unless there were too few key presses for that.
    text, erased = at_end if erased and len(at_end[0]) + at_end[1] <= presses else (text, erased)
    return "".join(text), erased


def text_shown(before: Tree | None, after: FieldReading, presses: int) -> str:
    """What a field shows of a text that was sent to it; empty when the trees do not tell."""
    if after.node is None or before is None:
        return ""
    old = same_field(before, after.node)
    return typed_between(old, after.node, presses)[0] if old is not None else ""


def changed_by_one(before: Node, after: Node) -> bool:
    """Whether one character was added or erased, and it was no line break."""
    old, new = text_of(before), text_of(after)
    text, erased = _difference(characters(old), characters(new))
    return len(text) + erased == 1 and text != ["\n"]


def _difference(old: list[str], new: list[str]) -> tuple[list[str], int]:
    start = _common_prefix(old, new)
    rest = min(len(old), len(new)) - start
    end = min(rest, _common_prefix(old[::-1], new[::-1]))
    return new[start : len(new) - end], len(old) - start - end


def _common_prefix(first: list[str], second: list[str]) -> int:
    count = 0
    for left, right in zip(first, second, strict=False):
        if left != right:
            break
        count += 1
    return count
