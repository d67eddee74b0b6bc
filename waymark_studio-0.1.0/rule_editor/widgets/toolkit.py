"""The protocol for colours, icons and primitive controls that the studio gives to these widgets.

The editor cannot import the studio but has to look like it, so the studio passes its theme and controls
as one object.
"""

from __future__ import annotations

from typing import Any, Protocol

from PySide6.QtCore import QPoint, QPointF, QRect
from PySide6.QtGui import QColor, QFont, QIcon, QPainter
from PySide6.QtWidgets import QAbstractButton, QAbstractSpinBox, QCompleter, QFrame, QLabel, QWidget


class DesignTokens(Protocol):
    """What widgets paint with. Names of colours, sizes, roles, tones and icons are the design tokens'."""

    @property
    def changed(self) -> Any:
        """Signal without arguments: the scheme was switched, drop what was painted."""
        ...

    def color(self, name: str) -> QColor:
        """A token's colour, as in ``accent-weak``."""
        ...

    def overlay(self, name: str) -> QColor:
        """A colour drawn over phone pixels, the same in both schemes."""
        ...

    def size(self, name: str) -> int:
        """A length of the ``size`` tokens, in logical pixels."""
        ...

    def font(self, role: str = "body") -> QFont:
        """Font of a role: body, name, heading, caption, title, code, ..."""
        ...

    def icon(self, name: str, tone: str = "text-2", size: int = 16) -> QIcon:
        """An icon for actions and item views."""
        ...

    def draw_icon(
        self, painter: QPainter, name: str, at: QPoint | QPointF, size: int = 16, tone: str = "text-2"
    ) -> None:
        """Draw an icon with its top left corner at ``at``."""
        ...

    def draw_icon_in(
        self, painter: QPainter, name: str, rect: QRect, size: int = 16, tone: str = "text-2"
    ) -> None:
        """Draw an icon in the middle of ``rect``."""
        ...


class Toolkit(DesignTokens, Protocol):
    """Used on the GUI thread: what widgets paint with, and the controls they are made of."""

    def button(
        self, text: str = "", icon: str = "", kind: str = "plain", *, key: str = "", small: bool = False
    ) -> QAbstractButton:
        """``plain``, ``outlined``, ``primary``, ``danger`` or ``link``."""
        ...

    def label(
        self, text: str = "", role: str = "body", tone: str = "text", *, wrap: bool = False, cut: bool = False
    ) -> QLabel:
        """Plain text in a role and tone; ``cut`` shortens it with ``...``."""
        ...

    def segments(self, choices: list[tuple[str, str, str]], tones: dict[str, str] | None = None) -> Any:
        """A bar of (id, text, icon): a QWidget with ``chosen`` (str), ``current`` and ``set_current``."""
        ...

    def switch(self, name: str, *, on: bool = False) -> QAbstractButton:
        """A checkable switch with an accessible name."""
        ...

    def align_spin_box(self, field: QAbstractSpinBox) -> None:
        """Align the text of a spin box with that of other fields."""
        ...

    def dress_completer(self, completer: QCompleter) -> None:
        """Give the list of a completer the ground of floating lists."""
        ...

    def surface(self, kind: str, edge: str = "") -> QFrame:
        """A frame with the ground of ``canvas``, ``panel``, ``bar``, ``card`` or ``float``."""
        ...

    def repolish(self, widget: QWidget) -> None:
        """Apply the style sheet again after a dynamic property changed."""
        ...
