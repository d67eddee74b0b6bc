"""The line of a difference in words: ``Button #chip_sort  enabled true → false``. No Qt."""

from __future__ import annotations

from dataclasses import dataclass

from collector.hierarchy.difference_groups import NodeDifference, NodeDifferenceKind, texts_below
from collector.model.i18n import _, ngettext
from studio.widgets.captions.node_text import short_kind, tree_line

SIGNS = {
    NodeDifferenceKind.ADDED: "+",
    NodeDifferenceKind.REMOVED: "-",
    NodeDifferenceKind.CHANGED: "~",
    NodeDifferenceKind.MOVED: "→",
}
TONES = {
    NodeDifferenceKind.ADDED: "ok",
    NodeDifferenceKind.REMOVED: "err",
    NodeDifferenceKind.CHANGED: "warn",
    NodeDifferenceKind.MOVED: "info",
}
_QUOTED = frozenset({"text", "content-desc", "hint", "tooltip-text"})
_NAMES = {"resource-id": "/", "class": "."}
"""Attributes of which the part after the last such character says enough."""


@dataclass(frozen=True, slots=True)
class DifferenceLine:
    """A line of a list of differences; all parts but ``head`` may be empty."""

    kind: NodeDifferenceKind
    head: str
    """What differs: ``Button #chip_sort``."""
    detail: str = ""
    """How it differs, or what it says."""
    tip: str = ""
    """The whole line where it may be cut."""

    def __str__(self) -> str:
        return " ".join(filter(None, (SIGNS[self.kind], self.head, self.detail)))


def line_of(difference: NodeDifference) -> DifferenceLine:
    """The line of a node that differs."""
    parts = tree_line(difference.node)
    head = " ".join(filter(None, (parts.kind, parts.name)))
    if difference.kind is NodeDifferenceKind.CHANGED:
        return _changed(difference, head)
    says = [parts.label]
    if difference.below:
        says = [ngettext("{count} node", "{count} nodes", difference.count)]
        says += [f'"{text}"' for text in texts_below(difference)]
    if difference.kind is NodeDifferenceKind.MOVED:
        says.append(_moved(difference))
    detail = "  ".join(filter(None, says))
    return DifferenceLine(difference.kind, head, detail, f"{head}\n{detail}")


def _changed(difference: NodeDifference, head: str) -> DifferenceLine:
    changes = [change_text(name, *values) for name, values in difference.attributes.items()]
    parts = tree_line(difference.node)
    if not parts.name and not _QUOTED & difference.attributes.keys():
        head = " ".join(filter(None, (head, parts.label)))
    more = ngettext("and {count} more", "and {count} more", len(changes) - 1) if len(changes) > 1 else ""
    return DifferenceLine(
        difference.kind, head, "  ".join(filter(None, (changes[0], more))), "\n".join((head, *changes))
    )


def _moved(difference: NodeDifference) -> str:
    assert difference.move is not None
    if difference.move.has_other_parent:
        before = difference.move.before.parent
        after = difference.move.after.parent
        if before is not None and after is not None and short_kind(before) != short_kind(after):
            return _("moved from {before} to {after}", before=short_kind(before), after=short_kind(after))
        return _("moved to another parent")
    across, down = difference.move.by
    if not across and not down:
        return _("another size")
    return _("moved by {across}, {down} px", across=f"{across:+d}", down=f"{down:+d}")


def change_text(name: str, before: str, after: str) -> str:
    """A changed attribute: ``enabled true → false``."""
    return f"{name} {_value(name, before)} → {_value(name, after)}"


def _value(name: str, value: str) -> str:
    if name in _QUOTED:
        return f'"{" ".join(value.split())}"'
    if not value:
        return _("none")
    return value.rpartition(_NAMES[name])[2] if name in _NAMES else value


def attribute_line(name: str, before: str, after: str) -> DifferenceLine:
    """The line of one attribute of a changed node."""
    detail = f"{_value(name, before)} → {_value(name, after)}"
    return DifferenceLine(NodeDifferenceKind.CHANGED, name, detail, f"{name}\n{before}\n→ {after}")


def place_lines(place: tuple[str, str] | None) -> tuple[DifferenceLine, ...]:
    """The lines of another app or activity in front; ``place`` is ``package/activity`` of both states."""
    if place is None:
        return ()
    before, after = (each.partition("/") for each in place)
    lines = []
    for title, index in ((_("window package"), 0), (_("activity"), 2)):
        if before[index] != after[index]:
            old, new = before[index] or _("unknown"), after[index] or _("unknown")
            tip = f"{title}\n{old}\n→ {new}"
            detail = f"{old.rpartition('.')[2]} → {new.rpartition('.')[2]}"
            lines.append(DifferenceLine(NodeDifferenceKind.CHANGED, title, detail, tip))
    return tuple(lines)


def text_lines(added: tuple[str, ...], removed: tuple[str, ...]) -> tuple[DifferenceLine, ...]:
    """The lines of texts that only one of two states has."""
    return tuple(
        DifferenceLine(kind, f'"{text}"', "", text)
        for kind, texts in ((NodeDifferenceKind.REMOVED, removed), (NodeDifferenceKind.ADDED, added))
        for text in texts
    )
