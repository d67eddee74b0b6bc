"""The button that says what the paired comparison compares, and its menu."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial

from PySide6.QtCore import QPoint, Signal, Slot
from PySide6.QtGui import QActionGroup

from collector.metrics.breakdowns.dimensions import DIMENSIONS
from collector.metrics.compared_values import ComparedValues
from collector.metrics.value_text import dimension_value_text
from collector.model.i18n import _
from studio.theme import theme
from studio.widgets.choice_menu import ChoiceMenu
from studio.widgets.controls import Button
from studio.widgets.painting import elided

COMPARED = ("agent", "model", "prompt", "modality", "condition", "variation", "language", "experiment")
"""Dimensions of which two values can be compared."""
_ANOMALY = ("anomaly-category", "condition")
"""Of a row, what says which anomaly it has."""
_MOST = 30
"""So many values of a dimension are offered."""
_FACE_WIDTH = 200


class ComparisonMenu(Button):
    """Emits ``chosen`` when something else is to be compared: :attr:`values`; None is the selected row."""

    chosen = Signal()

    def __init__(self) -> None:
        super().__init__(opens=True)
        self.values: ComparedValues | None = None
        self.menu: ChoiceMenu | None = None
        """The menu while it is open."""
        self._known: Mapping[str, tuple[str, ...]] = {}
        self.setToolTip(_("What is compared, pair by pair"))
        self.clicked.connect(self.open_menu)

    def offer(self, known: Mapping[str, tuple[str, ...]], row: Mapping[str, str]) -> None:
        """Offer the values that the episodes have, by dimension; a choice that is gone ends."""
        self._known = known
        values = self.values
        if values is not None and not {values.first, values.second} <= {"", *known.get(values.dimension, ())}:
            self.values = None
        self._show_face(row)

    def _show_face(self, row: Mapping[str, str]) -> None:
        if self.values is None:
            anomaly = [dimension_value_text(name, row[name]) for name in _ANOMALY if row.get(name)]
            first, second = dimension_value_text("condition", ""), ", ".join(anomaly) or _("all anomalies")
        else:
            first, second = (
                dimension_value_text(self.values.dimension, value)
                for value in (self.values.first, self.values.second)
            )
        words = _("{first} vs {second}", first=first, second=second)
        self.setAccessibleName(words)
        self.set_face(elided(theme.font("name"), words, _FACE_WIDTH))

    @Slot()
    def open_menu(self) -> None:
        """Open the menu below the button."""
        menu = self.menu = ChoiceMenu(self)
        menu.destroyed.connect(self._closed)
        group = QActionGroup(menu)
        self._add(menu, group, _("The selected row and its baseline"), None)
        conditions = [name for name in self._known.get("condition", ()) if name]
        baseline = dimension_value_text("condition", "")
        for name in conditions[:_MOST]:
            words = _("{first} vs {second}", first=baseline, second=dimension_value_text("condition", name))
            self._add(menu, group, words, ComparedValues("condition", "", name))
        menu.addSeparator()
        for dimension in COMPARED:
            self._add_dimension(menu, group, dimension)
        menu.popup(self.mapToGlobal(QPoint(0, self.height())))

    def _add_dimension(self, menu: ChoiceMenu, group: QActionGroup, dimension: str) -> None:
        known = self._known.get(dimension, ())
        if dimension == "condition":
            known = tuple(name for name in known if name)
        if len(known) < 2:
            return
        part = menu.add_part(_(DIMENSIONS[dimension].title))
        for first in known[:_MOST]:
            words = dimension_value_text(dimension, first)
            firsts = part.add_part(_("{first} vs", first=words))
            for second in known[:_MOST]:
                if second != first:
                    text = dimension_value_text(dimension, second)
                    self._add(firsts, group, text, ComparedValues(dimension, first, second))

    def _add(self, menu: ChoiceMenu, group: QActionGroup, text: str, values: ComparedValues | None) -> None:
        menu.add_radio(group, text, values == self.values, partial(self.choose, values))

    def choose(self, values: ComparedValues | None) -> None:
        """Compare something else."""
        if values != self.values:
            self.values = values
            self.chosen.emit()

    @Slot()
    def _closed(self) -> None:
        self.menu = None
