"""The filters above the list of the palette."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import Signal, Slot
from PySide6.QtWidgets import QHBoxLayout, QVBoxLayout, QWidget

from collector.anomalies.model import COMPANION_KIND, NATIVE
from collector.model.i18n import _
from studio.widgets.controls import SegmentedControl
from studio.widgets.controls.segmented_control import Choice
from studio.widgets.inject.anomaly_entries import ALL, CATEGORY_CHOICES, AnomalyQuery, category_words


class AnomalyFilterBar(QWidget):
    """Filters by category, kind, buttons and language."""

    changed = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.category = self._new_segments(
            [
                (category, category_words(category) if category else _("All"), "")
                for category in CATEGORY_CHOICES
            ],
            _("Category"),
        )
        self.kind = self._new_segments(
            [(ALL, _("All kinds"), ""), (COMPANION_KIND, _("Dialogs"), ""), (NATIVE, _("Phone"), "")],
            _("Kind"),
        )
        self.buttons = self._new_segments(
            [(ALL, _("Any buttons"), ""), ("1", _("One"), ""), ("2", _("Two"), "")], _("Buttons")
        )
        self.language = self._new_segments([(ALL, _("Any language"), "")], _("Language"))
        column = QVBoxLayout(self)
        column.setContentsMargins(12, 8, 12, 8)
        column.setSpacing(6)
        column.addWidget(self.category)
        self._second = QHBoxLayout()
        self._second.setSpacing(8)
        for segments in (self.kind, self.buttons, self.language):
            self._second.addWidget(segments)
        self._second.addStretch()
        column.addLayout(self._second)

    def _new_segments(self, choices: list[Choice], name: str) -> SegmentedControl:
        segments = SegmentedControl(choices, shrinks=True)
        segments.setAccessibleName(name)
        segments.chosen.connect(self._chosen)
        return segments

    def set_languages(self, languages: Sequence[str]) -> None:
        """Offer the languages of the listed anomalies."""
        before = self.language.current
        fresh = self._new_segments(
            [(ALL, _("Any language"), ""), *((language, language, "") for language in languages)],
            _("Language"),
        )
        self._second.replaceWidget(self.language, fresh)
        self.language.hide()
        self.language.deleteLater()
        self.language = fresh
        if before in languages:
            fresh.set_current(before)

    def query(self, text: str) -> AnomalyQuery:
        """Return the query of these filters with the text of the search field."""
        parts = (self.category, self.kind, self.language, self.buttons)
        return AnomalyQuery(text, *(part.current for part in parts))

    @Slot(str)
    def _chosen(self, _name: str) -> None:
        self.changed.emit()
