"""What a field says, read from trees, and what was typed between two readings of it."""

from __future__ import annotations

from dataclasses import dataclass

from collector.device.snapshot import TreeSnapshot
from collector.hierarchy.describe import focused_field
from collector.model.tree import Node, Tree

_BULLETS = frozenset("\u2022\u25cf*\u00b7\u2219")


SETTLE_NS = 150_000_000
"""What was typed is in the field by then."""


@dataclass(frozen=True, slots=True, eq=False)
class FieldReading:
    """The field with the focus, as one tree had it; ``node`` is None when no field had it.

    What a tree says was so at some time from ``started_ns`` to ``finished_ns``: a dump waits for rest.
    """

    node: Node | None
    started_ns: int
    finished_ns: int
    keyboard: bool
    """Whether the soft keyboard was shown."""
    screen: tuple[str, str] = ("", "")
    """Package and activity."""
    tree: Tree | None = None

    @classmethod
    def of(cls, snapshot: TreeSnapshot) -> FieldReading:
        node = focused_field(snapshot.tree) if snapshot.tree is not None else None
        shown = snapshot.keyboard is not None
        screen = (snapshot.package, snapshot.activity)
        return cls(node, snapshot.started_ns, snapshot.finished_ns, shown, screen, snapshot.tree)

    def is_same_field(self, other: FieldReading | None) -> bool:
        """Whether the same field had the focus in both."""
        if other is None or self.node is None or other.node is None:
            return False
        return field_key(self.node) == field_key(other.node)


def field_key(node: Node) -> tuple[str, str]:
    """What makes a field the same in two trees: its id, else its place among the others."""
    return node.class_name, node.resource_id or ".".join(map(str, node.path))


def same_field(tree: Tree | None, node: Node) -> Node | None:
    """The field of another tree, focused there or not."""
    key = field_key(node)
    return next((one for one in tree if field_key(one) == key), None) if tree is not None else None


def text_of(node: Node | None) -> str:
    """What stands in a field: the hint shown in an empty one is nothing, where the tree tells it."""
    return "" if node is None or node.text == node.get("hint") else node.text


def typed_between(before: Node | None, after: Node, presses: int, *, known: bool = False) -> tuple[str, int]:
    """The text that came into a field and how many characters went, by so many presses of keys.

    Most trees show the hint of an empty field as its text. It was one when more changed than the
    presses can do, or letters gave way to the dots of a password; ``known`` says that it was not.
    """
    old, new = text_of(before), text_of(after)
    if new.startswith(old):
        return new[len(old) :], 0
    if after.password and _BULLETS.intersection(new) and not _BULLETS.intersection(old):
        return new, 0
    text, erased = _difference(old, new)
    told = known or (before is not None and bool(before.get("hint")))
    if new and not told and erased + len(text) > presses:
        return new, 0
    kept = _alike(old, new)
    at_end = new[kept:], len(old) - kept
    # Erased from the end and typed anew, unless the keys pressed were too few for that.
    return at_end if erased and len(at_end[0]) + at_end[1] <= presses else (text, erased)


def said_by_field(before: Tree | None, after: FieldReading, presses: int) -> str:
    """What a field shows of a text that was sent to it; empty when the tree does not tell."""
    if after.node is None or before is None:
        return ""
    old = same_field(before, after.node)
    return typed_between(old, after.node, presses)[0] if old is not None else ""


def changed_by_one(before: Node, after: Node) -> bool:
    """Whether one character came or went, and no line began."""
    old, new = text_of(before), text_of(after)
    text, erased = _difference(old, new)
    return len(text) + erased == 1 and text != "\n"


def _difference(old: str, new: str) -> tuple[str, int]:
    start = _alike(old, new)
    rest = min(len(old), len(new)) - start
    end = min(rest, _alike(old[::-1], new[::-1]))
    return new[start : len(new) - end], len(old) - start - end


def _alike(one: str, other: str) -> int:
    count = 0
    for mine, theirs in zip(one, other, strict=False):
        if mine != theirs:
            break
        count += 1
    return count
