"""Put the noise of a variation on a screen: a pure function of the screen, the seed and what came before."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any, Literal

from collector.model.variation.noise import AS_IS, REVERSED, SHUFFLED, Noise
from collector.virtual.noise.progress import DODGE, UNCOVER, NoiseProgress, NoisyElement
from collector.virtual.ui import widgets as w
from collector.virtual.ui.content import localized
from collector.virtual.ui.events import Event

Parent = Literal["row", "column", "grid", "stack"]
_PARENTS: dict[type[w.Widget], Parent] = {
    w.Row: "row", w.Flow: "row", w.Column: "column", w.ScrollList: "column", w.Grid: "grid", w.Stack: "stack",
}  # fmt: skip
_COVER = {"en": "Tap to show", "zh": "点击显示", "de": "Zum Anzeigen tippen"}
_ROOM_OF_WORDS = 120.0
_LEAST_CELLS = 4
_SHIFT = 26.0
"""Dp by which a touched element moves."""
_FEWEST = 2
"""Entries that can be in another order."""


@dataclass(frozen=True)
class ScreenNoise:
    """The noise of one activity of an app."""

    noise: Noise
    seed: int
    app: str
    package: str
    activity: str
    locale: str
    progress: NoiseProgress

    def disturbed(self, screen: w.Screen) -> w.Screen:
        """The screen with its noise. Dialogs, sheets, bars of destinations and BACK stay as they are."""
        bar, floating = screen.app_bar, screen.floating
        if bar is not None:
            bar = replace(bar, actions=self._children(bar.actions, "row"))
        if floating is not None and self._is_concerned(floating):
            floating = None if self._is_away(floating) else floating
        return replace(screen, content=self._inside(screen.content), app_bar=bar, floating=floating)

    def _inside(self, widget: w.Widget) -> w.Widget:
        """A widget with noise on what is in it."""
        child = getattr(widget, "child", None)
        if isinstance(child, w.Widget) and type(child) is not w.Widget:
            return _with(widget, child=self._inside(child))
        parent = _PARENTS.get(type(widget))
        children: tuple[w.Widget, ...] = getattr(widget, "children", ())
        if parent is None or not children:
            return widget
        if isinstance(widget, w.ScrollList) and not (widget.ordered or widget.from_end):
            children = self._in_order(children)
        return _with(widget, children=self._children(children, parent))

    def _children(self, children: Sequence[w.Widget], parent: Parent) -> tuple[w.Widget, ...]:
        place: Parent = "grid" if parent == "row" and _are_cells(children) else parent
        return tuple(shown for child in children for shown in self._element(child, place))

    def _element(self, widget: w.Widget, parent: Parent) -> Iterator[w.Widget]:
        """What is shown for an element: nothing, itself, or itself twice, changed by noise."""
        if not self._is_concerned(widget):
            yield self._inside(widget)
            return
        if self._is_away(widget):
            if parent == "grid":
                yield w.Spacer(key=widget.key, grow=widget.grow)
            return
        shown = widget if self._is_hidden(widget) else self._inside(widget)
        if self._is("zoomed", widget):
            shown = replace(shown, magnified=self.noise.zoom)
        shown = self._covered(self._moving(shown, parent), widget, parent)
        yield shown
        if parent in ("row", "column") and self._is("twice", widget):
            yield shown

    # ---- which elements ---------------------------------------------------------------------------

    def _is_concerned(self, widget: w.Widget) -> bool:
        """Whether a widget is an element that noise may be on: it takes touches and has an id."""
        only = self.noise.only
        return bool(widget.id) and widget.on_tap is not None and (not only or widget.id in only)

    def _is(self, kind: str, widget: w.Widget) -> bool:
        """Whether a kind of noise is on an element: the same for a seed, whatever else varies."""
        share = getattr(self.noise, kind)
        return bool(share) and _chance(self.seed, kind, self.app, self.activity, _name(widget)) < share

    def _is_hidden(self, widget: w.Widget) -> bool:
        """Whether an element is hidden at first. What is in it has no noise, which would begin only then."""
        return any(self._is(kind, widget) for kind in ("missing", "late", "covered"))

    def _is_away(self, widget: w.Widget) -> bool:
        element = self._named(widget)
        missing = self._is("missing", widget) and self.progress.is_missing(element, self.noise.missing_inputs)
        late = self._is("late", widget) and self.progress.is_late(element, self.noise.late_seconds)
        return missing or late

    def _named(self, widget: w.Widget, kind: str = "") -> NoisyElement:
        return NoisyElement(self.package, self.activity, kind + _name(widget))

    # ---- what becomes of them ---------------------------------------------------------------------

    def _moving(self, widget: w.Widget, parent: Parent) -> w.Widget:
        """A moving element: the first touch moves it, and does nothing else."""
        if not self._is("moving", widget):
            return widget
        element = self._named(widget, "moving ")
        if not self.progress.is_done(element):
            return replace(widget, on_tap=Event(DODGE, element.name), on_long_press=None, on_drag=None)
        left, top, right, bottom = _sides(widget.margin)
        if parent == "row":
            return replace(widget, margin=(left, top, right + _SHIFT, bottom))
        return replace(widget, margin=(left, top + _SHIFT, right, bottom))

    def _covered(self, widget: w.Widget, element: w.Widget, parent: Parent) -> w.Widget:
        """An element under a cover, as wide and as tall as it is."""
        named = self._named(element, "covered ")
        if not self._is("covered", element) or self.progress.is_done(named):
            return widget
        fills = widget.width == w.FILL or (parent == "column" and widget.width is None)
        fills = fills or (parent in ("row", "grid") and widget.grow > 0)
        width = w.FILL if fills else widget.width
        inner = replace(widget, grow=0.0, margin=0.0, align_self=None, width=width)
        has_room = (fills and parent != "grid") or (widget.width or 0) >= _ROOM_OF_WORDS
        return w.Stack(
            (inner, _cover(localized(_COVER, self.locale), Event(UNCOVER, named.name), has_room=has_room)),
            grow=widget.grow, margin=widget.margin, align_self=widget.align_self,
            width=w.FILL if widget.width == w.FILL else None, key=f"covered {_name(element)}",
        )  # fmt: skip

    def _in_order(self, children: Sequence[w.Widget]) -> tuple[w.Widget, ...]:
        """Entries in another order: those that follow each other and have the same id."""
        if self.noise.order == AS_IS:
            return tuple(children)
        result: list[w.Widget] = []
        run: list[w.Widget] = []
        for child in (*children, None):
            if run and (child is None or child.id != run[0].id):
                result += self._reordered(run)
                run = []
            if child is not None:
                run.append(child)
        return tuple(result)

    def _reordered(self, run: list[w.Widget]) -> list[w.Widget]:
        names = [_name(widget) for widget in run]
        only = self.noise.only
        if len(run) < _FEWEST or len(set(names)) < len(run) or (only and run[0].id not in only):
            return run
        order: dict[str, Callable[[int], Any]] = {
            REVERSED: lambda at: -at,
            SHUFFLED: lambda at: _chance(self.seed, SHUFFLED, self.app, self.activity, names[at]),
        }
        return [run[at] for at in sorted(range(len(run)), key=order[self.noise.order])]


def _cover(words: str, on_tap: Event, *, has_room: bool) -> w.Widget:
    """What lies over a covered element; without room for the words an icon alone."""
    icon = w.Icon(name="info", size=18, color="text_2", class_name="-")
    label = w.Text(text=words, size=13, color="text_2", max_lines=1, class_name="-")
    return w.Row(
        (icon, label) if has_room else (icon,), gap=8, arrange="center", width=w.FILL, height=w.FILL,
        radius=10, background="surface_container", border="outline", id="noise_cover", description=words,
        on_tap=on_tap, class_name="android.widget.Button",
    )  # fmt: skip


def _are_cells(children: Sequence[w.Widget]) -> bool:
    """Whether a row is one of a table, as the days of a week: no cell may move to another's place."""
    return (
        len(children) >= _LEAST_CELLS
        and len({(child.id, child.grow > 0) for child in children}) == 1
        and (children[0].grow > 0)
    )


def _with(widget: w.Widget, **changes: Any) -> w.Widget:
    """The widget itself when nothing changes, so that what is laid out stays."""
    same = all(getattr(widget, name) == value for name, value in changes.items())
    return widget if same else replace(widget, **changes)


def _name(widget: w.Widget) -> str:
    """The name of an element within its activity."""
    return f"{widget.id} {widget.key}".strip()


def _chance(*parts: object) -> float:
    """A number from 0 to 1 that depends on the parts alone, the same on every machine."""
    digest = hashlib.sha256("\n".join(map(str, parts)).encode()).digest()
    return int.from_bytes(digest[:8], "big") / 2**64


def _sides(insets: w.Insets) -> tuple[float, float, float, float]:
    if not isinstance(insets, tuple):
        return insets, insets, insets, insets
    return insets if len(insets) == 4 else (*insets, *insets)
