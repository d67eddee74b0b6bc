"""The toolkit that gives the rule editor's widgets the theme and the controls of the studio."""

from __future__ import annotations

from typing import Any

from PySide6.QtCore import QPoint, QPointF, QRect
from PySide6.QtGui import QColor, QFont, QIcon, QPainter
from PySide6.QtWidgets import QAbstractButton, QAbstractSpinBox, QCompleter, QFrame, QLabel, QWidget

from rule_editor.widgets.toolkit import Toolkit
from studio.theme import theme
from studio.theme.theme import repolish
from studio.widgets.controls import Button, Label, SegmentedControl, Switch, surface
from studio.widgets.controls.fields import dress_completer, dress_spin_box


class StudioToolkit:
    """Implements :class:`Toolkit` with the theme; stateless, so that all widgets share it."""

    @property
    def changed(self) -> Any:
        return theme.changed

    def color(self, name: str) -> QColor:
        return theme.color(name)

    def overlay(self, name: str) -> QColor:
        return theme.overlay(name)

    def size(self, name: str) -> int:
        return theme.size(name)

    def font(self, role: str = "body") -> QFont:
        return theme.font(role)

    def icon(self, name: str, tone: str = "text-2", size: int = 16) -> QIcon:
        return theme.icon(name, tone, size)

    def draw_icon(
        self, painter: QPainter, name: str, at: QPoint | QPointF, size: int = 16, tone: str = "text-2"
    ) -> None:
        theme.draw_icon(painter, name, at, size, tone)

    def draw_icon_in(
        self, painter: QPainter, name: str, rect: QRect, size: int = 16, tone: str = "text-2"
    ) -> None:
        theme.draw_icon_in(painter, name, rect, size, tone)

    def button(
        self, text: str = "", icon: str = "", kind: str = "plain", *, key: str = "", small: bool = False
    ) -> QAbstractButton:
        return Button(text, icon, kind, key=key, small=small)

    def label(
        self, text: str = "", role: str = "body", tone: str = "text", *, wrap: bool = False, cut: bool = False
    ) -> QLabel:
        return Label(text, role, tone, wrap=wrap, cut=cut)

    def segments(
        self, choices: list[tuple[str, str, str]], tones: dict[str, str] | None = None
    ) -> SegmentedControl:
        return SegmentedControl(choices, tones, shrinks=True)

    def switch(self, name: str, *, on: bool = False) -> QAbstractButton:
        return Switch(name, on=on)

    def align_spin_box(self, field: QAbstractSpinBox) -> None:
        dress_spin_box(field)

    def dress_completer(self, completer: QCompleter) -> None:
        dress_completer(completer)

    def surface(self, kind: str, edge: str = "") -> QFrame:
        return surface(kind, edge)

    def repolish(self, widget: QWidget) -> None:
        repolish(widget)


STUDIO_TOOLKIT: Toolkit = StudioToolkit()
"""The toolkit for every widget of the rule editor."""
