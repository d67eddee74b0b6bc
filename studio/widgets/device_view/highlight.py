"""Marks on the screen and their looks; they differ in shape, not only in colour."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum, Flag, auto

from collector.model.action import Action
from collector.model.geometry import Rect


class Overlay(Flag):
    """Layers a person can switch on and off."""

    NODES = auto()
    TRACE = auto()
    TARGET = auto()
    RULES = auto()
    STATES = auto()
    SEARCH = auto()
    INJECTED = auto()
    DIFFERENCES = auto()
    NUMBERS = auto()


USUAL_OVERLAYS = (
    Overlay.TRACE | Overlay.TARGET | Overlay.SEARCH | Overlay.INJECTED | Overlay.DIFFERENCES | Overlay.NUMBERS
)
"""Layers a view shows by default."""


class OutlineStyle(Enum):
    """Line style of an outline."""

    SOLID = auto()
    DASHED = auto()
    DOTTED = auto()
    DASH_DOTTED = auto()


@dataclass(frozen=True, slots=True)
class HighlightLook:
    """How a mark is drawn. Colours are names of the overlay palette; ``width`` is in logical pixels."""

    color: str
    width: int = 2
    line: OutlineStyle = OutlineStyle.SOLID
    fill: str = ""
    on_black: str = ""
    """Colour over a secure window, where the usual one would not show."""
    hairline: str = ""
    """Colour of a 1 px line around the outline."""


class HighlightStyle(Enum):
    """Reason why a rectangle is marked, with its look."""

    HOVER = HighlightLook("hover", fill="hover_fill", on_black="on_black_hover")
    PARENT = HighlightLook("parent", 1, OutlineStyle.DASHED, on_black="on_black_node")
    SELECTED = HighlightLook("select", on_black="on_black_hover", hairline="select_outer")
    TARGET = HighlightLook("select", fill="hover_fill", on_black="on_black_hover")
    SEARCH = HighlightLook("hover", 1, fill="hover_fill", on_black="on_black_hover", hairline="select_outer")
    HIT = HighlightLook("hit", fill="hit_fill")
    MISS = HighlightLook("miss", line=OutlineStyle.DASHED, fill="miss_fill")
    STATE = HighlightLook("state", line=OutlineStyle.DOTTED)
    INJECTED = HighlightLook("injected", line=OutlineStyle.DASHED)
    ADDED = HighlightLook("added")
    CHANGED = HighlightLook("changed", line=OutlineStyle.DASHED)
    REMOVED = HighlightLook("removed", line=OutlineStyle.DOTTED)
    MOVED = HighlightLook("parent", line=OutlineStyle.DASH_DOTTED)
    NUMBER = HighlightLook("hover", 1, on_black="on_black_hover")

    @property
    def look(self) -> HighlightLook:
        look: HighlightLook = self.value
        return look


@dataclass(frozen=True, slots=True)
class Highlight:
    """A marked rectangle in device pixels; no tag is drawn for an empty ``tag``."""

    bounds: Rect
    style: HighlightStyle
    tag: str = ""


class TraceMark(Enum):
    """Actor of the action a trace shows."""

    PERSON = auto()
    GOLDEN = auto()
    AGENT = auto()
    NEXT = auto()


@dataclass(frozen=True, slots=True)
class Trace:
    """An action drawn where it happened."""

    action: Action
    mark: TraceMark = TraceMark.PERSON
