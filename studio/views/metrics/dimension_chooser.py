"""A box that chooses a dimension to break numbers down by."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import Signal, Slot
from PySide6.QtWidgets import QComboBox

from collector.metrics.breakdowns.dimensions import DIMENSIONS
from collector.model.i18n import _
from rule_editor.widgets.combo_box import ComboBox


class DimensionChooser(ComboBox):
    """Emits ``chosen`` when a person chooses another dimension."""

    chosen = Signal()

    def __init__(self, name: str, dimensions: Sequence[str]) -> None:
        super().__init__()
        self.setAccessibleName(name)
        self.setToolTip(name)
        self.setProperty("small", True)
        self.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToContents)
        for dimension in dimensions:
            self.addItem(_(DIMENSIONS[dimension].title), dimension)
        self.activated.connect(self._activated)

    @property
    def dimension(self) -> str:
        """The id of the dimension."""
        return str(self.currentData())

    def show_dimension(self, dimension: str) -> None:
        """Show a dimension without a signal."""
        self.setCurrentIndex(self.findData(dimension))

    def choose(self, dimension: str) -> None:
        """Choose as a person does."""
        self.show_dimension(dimension)
        self.chosen.emit()

    @Slot(int)
    def _activated(self, _number: int) -> None:
        self.chosen.emit()
