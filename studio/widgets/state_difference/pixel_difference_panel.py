"""The pixels in which two states differ: how many, how they are shown, and what is left out."""

from __future__ import annotations

from PySide6.QtCore import Signal, Slot
from PySide6.QtWidgets import QVBoxLayout, QWidget

from collector.comparison.state_difference.picture_difference import PictureDifference
from collector.model.i18n import _
from studio.bridge.review.state_comparisons import PictureComparison
from studio.theme import theme
from studio.widgets.controls import Label, SegmentedControl, Switch, header_row
from studio.widgets.painting import text_width
from studio.widgets.state_difference.pixel_difference_view import (
    DEFAULT_RATE,
    MOST_RATE,
    PixelDifferenceMode,
    PixelDifferenceView,
)

_RATES = (0.5, 1.0, 2.0, MOST_RATE)
_FEW = 0.001
_WIDEST_SHARE = 96


class PixelDifferencePanel(QWidget):
    """Asks by ``bars_ignored`` for a comparison with or without status bar and clock."""

    bars_ignored = Signal(bool)
    mode_changed = Signal(object)
    """The :class:`PixelDifferenceMode` a person chose."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.view = PixelDifferenceView()
        self._share = Label("", "caption", "text-2", cut=True)
        self.modes = SegmentedControl(
            [
                (PixelDifferenceMode.SLIDER.value, _("Slider"), "split"),
                (PixelDifferenceMode.BLINK.value, _("Blink"), "blink"),
                (PixelDifferenceMode.HEAT.value, _("Heat"), "heat"),
            ],
            shrinks=True,
        )
        self.ignore_switch = Switch(_("Ignore status bar and clock"), on=True)
        self.rates = SegmentedControl([(str(rate), f"{rate:g}", "") for rate in _RATES], shrinks=True)
        self._note = Label("", "caption", "text-2", cut=True)
        self._lay_out()
        self.modes.chosen.connect(self._mode_chosen)
        self.rates.chosen.connect(self._rate_chosen)
        self.ignore_switch.toggled.connect(self.bars_ignored)
        self.show_comparison(None)

    def _lay_out(self) -> None:
        head, row = header_row("panel_header", edge="top", spacing=6)
        row.addWidget(Label(_("Pixels"), "heading"))
        row.addWidget(self._share, 1)
        row.addWidget(self.modes)
        self.rates.set_current(str(DEFAULT_RATE))
        self.rates.setToolTip(_("Pictures a second"))
        self.rates.setAccessibleName(_("Pictures a second"))
        foot, line = header_row("panel_header", edge="top", left=8, spacing=4)
        line.addWidget(self.ignore_switch)
        line.addWidget(Label(_("Ignore status bar"), "caption", "text-2"))
        line.addSpacing(8)
        line.addWidget(self._note, 1)
        line.addWidget(self.rates)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addWidget(head)
        column.addWidget(self.view, 1)
        column.addWidget(foot)

    @property
    def mode(self) -> PixelDifferenceMode:
        return self.view.mode

    def set_mode(self, mode: PixelDifferenceMode) -> None:
        """Lay the pictures over each other in another way."""
        self.modes.set_current(mode.value)
        self.view.set_mode(mode)
        self._dress()

    @Slot(object)
    def show_comparison(self, comparison: PictureComparison | None) -> None:
        """Show other pictures; None says that there are no two states to compare."""
        self.view.show_comparison(comparison)
        self._dress()

    def _dress(self) -> None:
        comparison = self.view.comparison
        difference = comparison.difference if comparison is not None else None
        self._share.setText(share_in_words(difference) if difference is not None else "")
        self._share.setToolTip(self._share.text())
        # It is what a reviewer looks for: where there is little room, the control beside it gives some.
        self._share.setMinimumWidth(min(text_width(self._share.text(), "caption") + 2, _WIDEST_SHARE))
        self.rates.setVisible(self.mode is PixelDifferenceMode.BLINK and theme.has_motion)
        note = "" if comparison is None else note_in_words(comparison)
        if self.mode is PixelDifferenceMode.BLINK and not theme.has_motion:
            note = _("Space shows the other picture")
        self._note.setText(note)
        self._note.setToolTip(note)

    @Slot(str)
    def _mode_chosen(self, mode: str) -> None:
        self.set_mode(PixelDifferenceMode(mode))
        self.mode_changed.emit(self.mode)

    @Slot(str)
    def _rate_chosen(self, rate: str) -> None:
        self.view.set_rate(float(rate))


def share_in_words(difference: PictureDifference) -> str:
    """How many pixels differ: ``31 % differ``."""
    if not difference.regions:
        return _("nothing differs")
    if difference.share < _FEW:
        return _("{percent} % differ", percent=f"< {_FEW * 100:g}")
    percent = f"{difference.share * 100:.0f}" if difference.share >= 0.1 else f"{difference.share * 100:.1f}"
    return _("{percent} % differ", percent=percent)


def note_in_words(comparison: PictureComparison) -> str:
    """What was done to the pictures before they were compared: scaled or scrolled."""
    notes = []
    first, second, difference = comparison.first, comparison.second, comparison.difference
    if difference is not None and first.size() != second.size():
        notes.append(
            _("{side} is scaled from {width} × {height}", side=comparison.after.letter, width=second.width(),
              height=second.height())
        )  # fmt: skip
    if difference is not None and difference.brightness != 1:
        darker = comparison.after if difference.brightness < 1 else comparison.before
        notes.append(_("{side} is dimmed", side=darker.letter))
    if difference is not None and difference.shift[1]:
        notes.append(_("content moved by {count} px", count=f"{difference.shift[1]:+d}"))
    return ", ".join(notes)
