"""A field for the most money that may be spent."""

from __future__ import annotations

import math

from PySide6.QtCore import Signal, Slot
from PySide6.QtWidgets import QLineEdit

from collector.model.i18n import _


class LimitField(QLineEdit):
    """USD. Emits ``read`` when the text changes, with what is wrong in a sentence; empty when nothing is."""

    read = Signal(str)

    def __init__(self) -> None:
        super().__init__()
        self.setToolTip(_("The run ends before more is spent; it needs prices in the judge's file"))
        self.textChanged.connect(self._emit_read)

    @property
    def usd(self) -> float | None:
        """The limit; None without one, and for one that cannot be read."""
        return self._parsed()[0]

    def _parsed(self) -> tuple[float | None, str]:
        text = self.text().strip().replace(",", ".")
        try:
            limit = float(text) if text else None
        except ValueError:
            limit = math.nan
        if limit is None or (math.isfinite(limit) and limit >= 0):
            return limit, ""
        return None, _("Write an amount such as 2.50")

    @Slot()
    def _emit_read(self) -> None:
        self.read.emit(self._parsed()[1])
