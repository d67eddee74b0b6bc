"""The header of a timeline of aligned trajectories: differences, loop, lanes, zoom, and step or clock."""

from __future__ import annotations

import math

from PySide6.QtCore import QSize
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QWidget

from collector.model.i18n import _, ngettext
from studio.widgets.controls import Button, SegmentedControl
from studio.widgets.controls.label import Label
from studio.widgets.icon_button import IconButton
from studio.widgets.timeline.axis import TimeAxis
from studio.widgets.timeline.header import HEADER, TimelineHeader
from studio.widgets.timeline.sizes import ALIGNED_SIZES

_ZOOM_STEPS = 100


class AlignedHeader(TimelineHeader):
    """Where there is little room the title is cut first, then the slider goes, then words of buttons."""

    _has_menus = True

    def __init__(self, parent: QWidget | None = None) -> None:
        self._is_compared = False
        self.loop = Button(_("Loop"), "loop", small=True)
        self.loop.setCheckable(True)
        self.loop.setToolTip(_("Play the range, or everything, again and again"))
        self.differences = Label("", "body", "text-2")
        self.next_difference = Button(_("Next difference"), "chevr", key="N", small=True)
        self.fit = IconButton("fit", _("Show all steps"), size=24)
        self.axis = SegmentedControl(
            [(TimeAxis.STEP.value, _("Steps"), ""), (TimeAxis.CLOCK.value, _("Clock"), "")]
        )
        super().__init__(parent, ALIGNED_SIZES)

    def _lay_out(self) -> None:
        row = self._row
        self._row.setSpacing(2)
        self.zoom.setFixedWidth(56)
        row.addWidget(self.title)
        row.addSpacing(12)
        for widget in self.transport:
            row.addWidget(widget)
        row.addSpacing(4)
        row.addWidget(self.speed)
        row.addSpacing(4)
        row.addWidget(self.loop)
        row.addStretch(1)
        row.addWidget(self.differences)
        row.addSpacing(4)
        row.addWidget(self.next_difference)
        row.addSpacing(13)
        row.addWidget(self.lanes)
        for item in (self.zoom_out, self.zoom, self.zoom_in, self.fit):
            row.addWidget(item)
        row.addSpacing(4)
        row.addWidget(self.axis)

    def show_differences(self, count: int | None) -> None:
        """Say how many differences there are; None for a trajectory that is alone."""
        self._is_compared = count is not None
        self.differences.setText(ngettext("{count} difference", "{count} differences", count or 0))
        self.next_difference.setEnabled(bool(count))
        self.next_difference.setVisible(self._is_compared)
        self._fit()

    # -- room ----------------------------------------------------------------
    def minimumSizeHint(self) -> QSize:  # noqa: N802 - Qt's name
        return QSize(480, HEADER)

    def resizeEvent(self, event: QResizeEvent) -> None:  # noqa: N802 - Qt's name
        super().resizeEvent(event)
        self._fit()

    def _fit(self) -> None:
        """Leave out what there is no room for, one after the other."""
        for left_out in range(6):
            self.zoom.setVisible(left_out < 1)
            self.next_difference.set_compact(left_out >= 2)
            self.loop.set_compact(left_out >= 3)
            self.differences.setVisible(self._is_compared and left_out < 4)
            self.fit.setVisible(left_out < 5)
            self._row.invalidate()
            if self._row.minimumSize().width() <= self.width():
                break

    def _dividers(self) -> tuple[int, ...]:
        return (self.lanes.x() - 9,)

    # -- zoom ----------------------------------------------------------------
    def _set_zoom_range(self) -> None:
        self.zoom.setRange(0, _ZOOM_STEPS)

    def zoom_value(self, width: float) -> int:
        """On a logarithmic scale: as many steps from 4 px to 8 px as from 50 px to 100 px."""
        share = math.log(max(width, 0.001) / self._sizes.least_slot) / self._octaves
        return round(min(max(share, 0.0), 1.0) * _ZOOM_STEPS)

    def slot_width(self, value: int) -> float:
        return self._sizes.least_slot * math.exp(value / _ZOOM_STEPS * self._octaves)

    @property
    def _octaves(self) -> float:
        return math.log(self._sizes.most_slot / self._sizes.least_slot)
