"""The header of a timeline: title, transport buttons, speed, zoom and lane menu."""

from __future__ import annotations

from PySide6.QtCore import QRect, QSize, Qt
from PySide6.QtGui import QPaintEvent
from PySide6.QtWidgets import QHBoxLayout, QSizePolicy, QSlider, QWidget

from collector.model.i18n import _
from studio.theme import theme
from studio.theme.mirroring import painter_of
from studio.widgets.controls import Button
from studio.widgets.icon_button import IconButton
from studio.widgets.painted_items import Role
from studio.widgets.painting import draw_text, text_width
from studio.widgets.timeline.sizes import RECORDING_SIZES, TimelineSizes

HEADER = 32
"""Height of a header."""
_GAP = 12


class HeaderTitle(QWidget):
    """What the timeline shows, in one line that is cut where there is no room.

    A text of which less than half would be seen is left out; the tooltip has all of it.
    """

    spoken_role = Role.StaticText

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._about = ""
        self.setAccessibleName(_("Timeline"))
        self.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Expanding)
        theme.changed.connect(self.update)

    def set_about(self, text: str) -> None:
        self._about = text
        self.setAccessibleName(text or _("Timeline"))
        self.setToolTip(text)
        self.updateGeometry()
        self.update()

    def sizeHint(self) -> QSize:  # noqa: N802 - Qt's name
        about = text_width(self._about) + _GAP + 2 if self._about else 0
        return QSize(text_width(_("Timeline"), "heading") + about, HEADER)

    def minimumSizeHint(self) -> QSize:  # noqa: N802 - Qt's name
        return QSize(text_width(_("Timeline"), "heading") + 2, HEADER)

    def paintEvent(self, _event: QPaintEvent) -> None:  # noqa: N802 - Qt's name
        painter = painter_of(self)
        used = draw_text(painter, self.rect(), _("Timeline"), "heading") + _GAP
        rest = QRect(used, 0, self.width() - used, self.height())
        if rest.width() >= text_width(self._about) / 2:
            draw_text(painter, rest, self._about, "body", "text-2")


class TimelineHeader(QWidget):
    """The header of a recording; the timeline connects its buttons."""

    _has_menus = False
    """Whether a click on the speed opens a menu, and the button of lanes is written out."""

    def __init__(self, parent: QWidget | None = None, sizes: TimelineSizes = RECORDING_SIZES) -> None:
        super().__init__(parent)
        self._sizes = sizes
        self.title = HeaderTitle()
        self.first = IconButton("skipp", _("First step"), size=24)
        self.previous = IconButton("chevl", _("Previous step"), size=24)
        self.play = IconButton("play", _("Play"), size=24, outlined=self._has_menus)
        self.next = IconButton("chevr", _("Next step"), size=24)
        self.last = IconButton("skipn", _("Last step"), size=24)
        self.speed = Button(small=True, opens=self._has_menus)
        self.speed.setAccessibleName(_("Playback speed"))
        self.zoom_out = IconButton("minus", _("Narrower steps"), size=24)
        self.zoom = QSlider(Qt.Orientation.Horizontal)
        self.zoom.setFixedWidth(64)
        self.zoom.setAccessibleName(_("Width of a step"))
        self.zoom_in = IconButton("plus", _("Wider steps"), size=24)
        self.lanes: Button | IconButton = IconButton("list", _("Lanes"), size=24)
        if self._has_menus:
            self.lanes = Button(_("Lanes"), small=True, opens=True)
        self._row = QHBoxLayout(self)
        self._row.setContentsMargins(_GAP, 0, 8, 0)
        self._row.setSpacing(4)
        self.setFixedHeight(HEADER)
        self._lay_out()
        self._set_zoom_range()
        theme.changed.connect(self.update)

    def _lay_out(self) -> None:
        row = self._row
        row.addWidget(self.title, 1)
        for widget in self.transport:
            row.addWidget(widget)
        row.addSpacing(12)
        row.addWidget(self.speed)
        row.addSpacing(8)
        row.addWidget(self.zoom_out)
        row.addWidget(self.zoom)
        row.addWidget(self.zoom_in)
        row.addWidget(self.lanes)

    @property
    def transport(self) -> tuple[IconButton, ...]:
        """The buttons that move the cursor."""
        return self.first, self.previous, self.play, self.next, self.last

    def set_about(self, text: str) -> None:
        """Set the title, as in ``shop-14 · golden-2 · lin``."""
        self.title.set_about(text)

    # -- zoom ----------------------------------------------------------------
    def _set_zoom_range(self) -> None:
        self.zoom.setRange(self._sizes.least_slot, self._sizes.most_slot)

    def zoom_value(self, width: float) -> int:
        """The value of the slider for a width of slots."""
        return round(width)

    def slot_width(self, value: int) -> float:
        """The width of slots for a value of the slider."""
        return value

    def show_scale(self, width: float) -> None:
        """Move the slider without a signal."""
        self.zoom.blockSignals(True)
        self.zoom.setValue(self.zoom_value(width))
        self.zoom.blockSignals(False)

    # -- painting ------------------------------------------------------------
    def sizeHint(self) -> QSize:  # noqa: N802 - Qt's name
        return QSize(super().sizeHint().width(), HEADER)

    def _dividers(self) -> tuple[int, ...]:
        """The x of the lines between groups of buttons."""
        return self.speed.x() - 8, self.zoom_out.x() - 6

    def paintEvent(self, _event: QPaintEvent) -> None:  # noqa: N802 - Qt's name
        painter = painter_of(self)
        painter.fillRect(self.rect(), theme.color("bg-1"))
        line = theme.color("line")
        painter.fillRect(0, 0, self.width(), 1, line)
        painter.fillRect(0, self.height() - 1, self.width(), 1, line)
        for x in self._dividers():
            painter.fillRect(x, 9, 1, self.height() - 18, line)
