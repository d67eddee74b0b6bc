"""The names of other essential states, each with a cross, and a button that adds one more."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QHBoxLayout, QVBoxLayout, QWidget

from collector.model.i18n import _
from studio.theme import theme
from studio.widgets.controls import Button, Label, surface
from studio.widgets.icon_button import IconButton
from studio.widgets.painting import elided

_CHIP_HEIGHT = 22
_LONGEST = 136
"""Width of the words of a chip, in logical pixels; the tooltip has them whole."""


class StateChips(QWidget):
    """Emits what the person asks for; the ids are those of states."""

    removed = Signal(str)
    opened = Signal(str)
    """A chip was clicked."""
    add_wanted = Signal()

    def __init__(self, name: str) -> None:
        """``name`` says what the states are to the one they belong to."""
        super().__init__()
        self._shown: tuple[tuple[str, str], ...] | None = None
        self.add = Button("", "plus", "outlined", small=True)
        self.add.setAccessibleName(_("Add an essential state: {name}", name=name))
        self.add.setToolTip(self.add.accessibleName())
        self.add.clicked.connect(self.add_wanted)
        self.setAccessibleName(name)
        self._rows = QVBoxLayout()
        self._rows.setSpacing(4)
        self._rows.setContentsMargins(0, 0, 0, 0)
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(6)
        row.addLayout(self._rows)
        row.addWidget(self.add, 0, Qt.AlignmentFlag.AlignTop)
        row.addStretch(1)
        self.show_states(())

    def show_states(self, states: Sequence[tuple[str, str]]) -> None:
        """Show states by id and words."""
        if tuple(states) == self._shown:
            return
        self._shown = tuple(states)
        while (item := self._rows.takeAt(0)) is not None:
            if (widget := item.widget()) is not None:
                widget.hide()
                widget.deleteLater()
        for state_id, words in states:
            self._rows.addWidget(self._chip(state_id, words), 0, Qt.AlignmentFlag.AlignLeft)
        if not states:
            none = Label(_("none"), "body", "text-3")
            none.setFixedHeight(24)
            self._rows.addWidget(none)

    def _chip(self, state_id: str, words: str) -> QWidget:
        chip = surface("card")
        chip.setFixedHeight(_CHIP_HEIGHT + 2)
        row = QHBoxLayout(chip)
        row.setContentsMargins(4, 0, 0, 0)
        row.setSpacing(0)
        label = Button(elided(theme.font("name"), words, _LONGEST), "", "link", small=True)
        label.setFixedHeight(_CHIP_HEIGHT)
        label.setToolTip(f"{words}\n{state_id}")
        label.clicked.connect(partial(self.opened.emit, state_id))
        remove = IconButton("x", _("Remove {name}", name=words), size=_CHIP_HEIGHT)
        remove.clicked.connect(partial(self.removed.emit, state_id))
        row.addWidget(label)
        row.addWidget(remove)
        return chip
