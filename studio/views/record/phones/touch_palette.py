"""Touch the phone from the palette: tap, press long and swipe, by the number of a node or by its words."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import partial

from PySide6.QtCore import QObject

from collector.model.i18n import N_, _
from collector.model.tree import Node
from studio.commands.search import PaletteEntry
from studio.views.record.phones.mirror import MirrorPane
from studio.views.services import WindowServices
from studio.widgets.captions.node_text import short_kind
from studio.widgets.device_view.highlight import Highlight, HighlightStyle, Overlay
from studio.widgets.device_view.touch_targets import Direction, TouchTarget
from studio.widgets.node_selection import same_node

TOUCH = "touch"
"""Kind of the entries."""
_LEAST_QUERY = 2
"""Letters of a gesture's name after which its nodes are numbered on the screen."""


@dataclass(frozen=True, slots=True)
class _Gesture:
    title: str
    """With ``{target}`` for what is touched."""
    icon: str
    direction: Direction | None = None
    is_long: bool = False

    def named(self, target: str, *, in_english: bool = False) -> str:
        """The title with its target; empty for the screen as a whole."""
        title = self.title if in_english else _(self.title)
        return " ".join(title.replace("{target}", target).split())

    def is_meant_by(self, query: str) -> bool:
        """Whether a query is the name of the gesture, or begins with it, or is on the way to it."""
        names = (self.named("").casefold(), self.named("", in_english=True).casefold())
        return len(query) >= _LEAST_QUERY and any(
            query.startswith(name) or name.startswith(query) for name in names
        )


_TAP = _Gesture(N_("Tap {target}"), "tap")
_SWIPES = (
    _Gesture(N_("Swipe up {target}"), "swipe", Direction.UP),
    _Gesture(N_("Swipe down {target}"), "swipe-down", Direction.DOWN),
    _Gesture(N_("Swipe left {target}"), "swipe-left", Direction.LEFT),
    _Gesture(N_("Swipe right {target}"), "swipe-right", Direction.RIGHT),
)
_GESTURES = (_TAP, _Gesture(N_("Long press {target}"), "hand", is_long=True), *_SWIPES)


class TouchPalette(QObject):
    """Entries for what the live phone shows; what a query is about carries its number on the screen."""

    def __init__(self, mirror: MirrorPane, services: WindowServices) -> None:
        super().__init__(mirror)
        self._mirror, self._services = mirror, services
        self._listed: dict[str, tuple[_Gesture, Node | None]] = {}
        for command, gesture in (
            ("mirror.tap", _TAP), ("mirror.long-press", _GESTURES[1]), ("mirror.swipe", None),
        ):  # fmt: skip
            asked = gesture.named("") if gesture is not None else _("Swipe")
            services.commander.handle(command, partial(self._ask, asked))

    def _ask(self, gesture: str) -> None:
        """Open the palette to choose what a gesture touches."""
        self._services.commander.run("mirror.go-live")
        self._services.run_command("view.palette", query=f"{gesture} ")

    def entries(self, query: str) -> list[PaletteEntry]:
        """What can be touched now: by the gestures that a query names, or else by a tap."""
        self._listed = {}
        query = " ".join(query.casefold().split())
        if not query or self._mirror.phone is None or not self._mirror.view.is_live:
            return []
        gestures = self._meant_by(query) or (_TAP,)
        return [entry for gesture in gestures for entry in self._entries_of(gesture)]

    def follow(self, query: str) -> None:
        """Number on the screen what a query may touch; a query of no gesture removes the numbers."""
        view = self._mirror.view
        meant = self._meant_by(" ".join(query.casefold().split())) if view.is_live else ()
        numbered = {target.number: target for gesture in meant for target in self._targets(gesture)}
        view.set_marks(
            Overlay.NUMBERS,
            [Highlight(each.bounds, HighlightStyle.NUMBER, str(each.number)) for each in numbered.values()],
        )

    def run(self, entry: PaletteEntry) -> None:
        """Do the gesture of an entry; a node that is gone is said, and nothing is touched."""
        gesture, node = self._listed[entry.id]
        view, before = self._mirror.view, node
        if node is not None:
            node = same_node(node, view.selection.tree)
            if node is None or node.bounds is None:
                self._services.toasts.show(
                    "warn",
                    _("Nothing was touched"),
                    _("{name} is no longer on the screen", name=_words(before)),
                )
                return
        if gesture.direction is not None:
            view.touch_cursor.swipe(gesture.direction, node)
        elif node is not None:
            (view.touch_cursor.long_press if gesture.is_long else view.touch_cursor.tap)(node)

    @staticmethod
    def _meant_by(query: str) -> tuple[_Gesture, ...]:
        return tuple(gesture for gesture in _GESTURES if gesture.is_meant_by(query))

    def _targets(self, gesture: _Gesture) -> list[TouchTarget]:
        targets = self._mirror.view.touch_cursor.targets
        return [each for each in targets if gesture.direction is not None or not each.only_scrolls]

    def _entries_of(self, gesture: _Gesture) -> Iterator[PaletteEntry]:
        if gesture.direction is not None:
            yield self._entry(gesture, None)
        for target in self._targets(gesture):
            yield self._entry(gesture, target)

    def _entry(self, gesture: _Gesture, target: TouchTarget | None) -> PaletteEntry:
        number = str(target.number) if target is not None else ""
        words = f"{number} · {target.label}" if target is not None else ""
        entry_id = f"{gesture.icon} {number}"
        self._listed[entry_id] = (gesture, target.node if target is not None else None)
        names = [gesture.named(each, in_english=english) for each in (number, target.label if target else "")
                 for english in (False, True)]  # fmt: skip
        return PaletteEntry(
            TOUCH, entry_id, gesture.named(words),
            short_kind(target.node) if target is not None else _("The whole screen"),
            words=f"{gesture.named(words, in_english=True)} {target.node.short_id if target else ''}",
            icon=gesture.icon,
            is_on_phone=True,
            same_as=tuple(name.casefold() for name in names),
        )  # fmt: skip


def _words(node: Node | None) -> str:
    return (node.label or short_kind(node)) if node is not None else ""
