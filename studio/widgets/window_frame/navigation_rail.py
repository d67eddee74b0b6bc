"""The navigation rail at the left edge: one item per workspace; jobs, settings and help below."""

from __future__ import annotations

from PySide6.QtCore import QPoint, QRect, QSize, Qt, Signal
from PySide6.QtGui import QPainter, QPaintEvent, QResizeEvent
from PySide6.QtWidgets import QFrame, QVBoxLayout, QWidget

from collector.model.i18n import _, ngettext
from studio.theme import theme
from studio.theme.mirroring import painter_of, upright
from studio.widgets.controls.hover_button import HoverButton
from studio.widgets.painting import draw_focus_ring, text_width
from studio.widgets.running_ring import RunningRing

_ICON, _TOP, _BESIDE_LABEL = 20, 10, 3


class NavigationRailItem(HoverButton):
    """An icon over a label, 64 x 56; the current item has a line at its left."""

    def __init__(self, icon: str, text: str, tip: str, *, height: int = 56) -> None:
        super().__init__()
        self._icon_name, self._height = icon, height
        self.setText(text)
        self.setToolTip(tip)
        self.setAccessibleName(text or tip)
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        theme.changed.connect(self.update)

    def sizeHint(self) -> QSize:  # noqa: N802 - Qt's name
        return QSize(theme.size("rail"), self._height)

    def paintEvent(self, _event: QPaintEvent) -> None:  # noqa: N802 - Qt's name
        painter = painter_of(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        if self.isChecked():
            painter.fillRect(self.rect(), theme.color("bg-3"))
            painter.fillRect(QRect(0, 0, 2, self.height()), theme.color("accent"))
        elif self._hovered and self.isEnabled():
            painter.fillRect(self.rect(), theme.color("bg-3"))
        if self.hasFocus():
            draw_focus_ring(painter, self.rect())
        tone = "line-2" if not self.isEnabled() else "accent" if self.isChecked() else "text-2"
        if self._icon_name:
            top = _TOP if self.text() else (self.height() - _ICON) // 2
            theme.draw_icon(painter, self._icon_name, QPoint((self.width() - _ICON) // 2, top), _ICON, tone)
        if self.text():
            painter.setFont(theme.font("caption"))
            label = "line-2" if not self.isEnabled() else "text" if self.isChecked() else "text-2"
            painter.setPen(theme.color(label))
            box = QRect(0, 33, self.width(), 18)
            with upright(painter, box):
                painter.drawText(box, Qt.AlignmentFlag.AlignCenter, self.text())


class JobsItem(NavigationRailItem):
    """The number of jobs below a ring that turns while there are any."""

    def __init__(self) -> None:
        super().__init__("", "", _("Work going on behind"), height=52)
        self.ring = RunningRing(_ICON, "bg-2", self)

    def resizeEvent(self, event: QResizeEvent) -> None:  # noqa: N802 - Qt's name
        super().resizeEvent(event)
        self.ring.move((self.width() - _ICON) // 2, _TOP)

    def show_count(self, count: int) -> None:
        """Show the number of jobs; 0 hides the item."""
        self.setText(ngettext("{count} job", "{count} jobs", count) if count else "")
        self.setVisible(count > 0)
        self.update()

    def paintEvent(self, event: QPaintEvent) -> None:  # noqa: N802 - Qt's name
        self.ring.set_background("bg-3" if self._hovered else "bg-2")
        super().paintEvent(event)


class NavigationRail(QFrame):
    """Emits ``chosen(id)`` for a workspace, and a signal each for settings, help and jobs."""

    chosen = Signal(str)
    settings_wanted = Signal()
    help_wanted = Signal()
    jobs_wanted = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setProperty("surface", "bar")
        self.setProperty("edge", "right")
        self.setFixedWidth(theme.size("rail"))
        self.items: dict[str, NavigationRailItem] = {}
        self._column = QVBoxLayout(self)
        self._column.setContentsMargins(0, 4, 0, 8)
        self._column.setSpacing(0)
        self._column.addStretch()
        self.jobs_item = JobsItem()
        self.jobs_item.hide()
        self.gear = NavigationRailItem("gear", "", _("Settings"), height=40)
        self.gear.setCheckable(True)
        question = NavigationRailItem("help", "", _("Keys of this workspace"), height=40)
        for item, signal in (
            (self.jobs_item, self.jobs_wanted),
            (self.gear, self.settings_wanted),
            (question, self.help_wanted),
        ):
            item.clicked.connect(signal)
            self._column.addWidget(item)

    def add(self, workspace: str, icon: str, text: str, tip: str, *, enabled: bool = True) -> None:
        """Add an item below the others."""
        item = NavigationRailItem(icon, text, tip)
        item.setCheckable(True)
        item.setEnabled(enabled)
        item.setProperty("workspace", workspace)
        self.setFixedWidth(max(self.width(), text_width(text, "caption") + 2 * _BESIDE_LABEL))
        item.clicked.connect(self._choose)
        self._column.insertWidget(len(self.items), item)
        self.items[workspace] = item

    def set_current(self, workspace: str) -> None:
        """Highlight the item of a workspace, or the gear for ``settings``."""
        self.gear.setChecked(workspace == "settings")
        for name, item in self.items.items():
            item.setChecked(name == workspace)

    def set_jobs(self, count: int) -> None:
        """Show the number of running jobs; 0 hides the item."""
        self.jobs_item.show_count(count)

    def _choose(self) -> None:
        item = self.sender()
        assert isinstance(item, NavigationRailItem)
        # The window decides; until then the item keeps its state.
        item.setChecked(not item.isChecked())
        self.chosen.emit(item.property("workspace"))
