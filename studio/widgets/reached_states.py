"""A short list of essential states with what became of each, as beside the screen of a step."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from PySide6.QtCore import QRect, QSize
from PySide6.QtGui import QPaintEvent
from PySide6.QtWidgets import QSizePolicy, QWidget

from studio.theme import theme
from studio.theme.mirroring import painter_of
from studio.widgets.painted_items import PaintedItems, Role
from studio.widgets.painting import draw_text

_ROW = 24


@dataclass(frozen=True, slots=True)
class ReachedState:
    """A state and its icon; ``tip`` says who judged it, and at which step."""

    sentence: str
    icon: str
    tip: str = ""


class StateList(PaintedItems, QWidget):
    """One row a state; long sentences are elided."""

    spoken_roles = (Role.List, Role.ListItem)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.states: tuple[ReachedState, ...] = ()
        """The rows on show."""
        self.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Fixed)
        theme.changed.connect(self.update)

    def show_states(self, states: Sequence[ReachedState]) -> None:
        """Show other states."""
        self.states = tuple(states)
        self.setVisible(bool(states))
        self.setToolTip("\n".join(f"{state.sentence}: {state.tip}" for state in states if state.tip))
        self.setAccessibleDescription(", ".join(state.sentence for state in states))
        self.updateGeometry()
        self.update()

    def spoken_items(self) -> list[str]:
        return [", ".join(filter(None, (state.sentence, state.tip))) for state in self.states]

    def item_place(self, number: int) -> QRect:
        return QRect(0, number * _ROW, self.width(), _ROW)

    def current_item(self) -> int:
        return -1

    def sizeHint(self) -> QSize:  # noqa: N802 - Qt's name
        return QSize(120, _ROW * len(self.states))

    def paintEvent(self, _event: QPaintEvent) -> None:  # noqa: N802 - Qt's name
        painter = painter_of(self)
        for row, state in enumerate(self.states):
            top = row * _ROW
            theme.draw_icon_in(painter, state.icon, QRect(0, top, 14, _ROW), 14)
            draw_text(painter, QRect(22, top, self.width() - 22, _ROW), state.sentence, "body")
