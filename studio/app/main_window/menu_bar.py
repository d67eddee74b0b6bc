"""The bar at the top: menus, a button that opens the command palette, the name of the project."""

from __future__ import annotations

from functools import reduce

from PySide6.QtCore import QEvent, QPoint, QRect, QSize, Qt, Signal, Slot
from PySide6.QtGui import QPainter, QPaintEvent, QPen, QResizeEvent
from PySide6.QtWidgets import QAbstractButton, QFrame, QHBoxLayout, QMenuBar, QWidget

from collector.model.i18n import _
from studio.commands.keys import printed
from studio.theme import theme
from studio.theme.mirroring import leading_margins, painter_of
from studio.views.panel_layout import Panel
from studio.widgets.icon_button import IconButton
from studio.widgets.painting import draw_focus_ring, draw_key, draw_text, key_width, text_width
from studio.widgets.window_frame.alt_key import AltKey
from studio.widgets.window_frame.menu_key import MenuKey

_PALETTE_WIDTH, _BESIDE_PALETTE = 320, 12


class _PaletteButton(QAbstractButton):
    def __init__(self, key: str) -> None:
        super().__init__()
        self._key = printed(key)
        self.setText(_("Search or run a command"))
        self.setAccessibleName(self.text())
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        theme.changed.connect(self.update)

    def set_key(self, key: str) -> None:
        """Show another key."""
        self._key = printed(key)
        self.update()

    def paintEvent(self, _event: QPaintEvent) -> None:  # noqa: N802 - Qt's name
        painter = painter_of(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(QPen(theme.color("text-3" if self.underMouse() else "line-2"), 1))
        painter.setBrush(theme.color("field"))
        painter.drawRoundedRect(self.rect().adjusted(0, 0, -1, -1), 4, 4)
        theme.draw_icon(painter, "search", QPoint(7, 4), 14)
        draw_text(painter, self.rect().adjusted(27, 0, -60, 0), self.text(), "body", "text-2")
        if self._key:
            width = key_width(self._key)
            draw_key(painter, QRect(self.width() - width - 6, 0, width, self.height() - 1), self._key)


class ProjectSwitcher(QAbstractButton):
    """The name of the open project; a click opens the list of projects."""

    def __init__(self) -> None:
        super().__init__()
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.show_project("")
        theme.changed.connect(self.update)

    def show_project(self, name: str) -> None:
        """Show the name of the project; an empty name for none."""
        self.setText(name or _("No project"))
        self.setAccessibleName(self.text())
        self.updateGeometry()
        self.update()

    def sizeHint(self) -> QSize:  # noqa: N802 - Qt's name
        return QSize(min(300, text_width(self.text(), "name") + 66), 24)

    def paintEvent(self, _event: QPaintEvent) -> None:  # noqa: N802 - Qt's name
        painter = painter_of(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        if self.underMouse() or self.hasFocus():
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(theme.color("bg-3"))
            painter.drawRoundedRect(self.rect(), 4, 4)
        if self.hasFocus():
            draw_focus_ring(painter, self.rect(), radius=4)
        theme.draw_icon(painter, "project", QPoint(10, 5), 14)
        draw_text(painter, self.rect().adjusted(30, 0, -30, 0), self.text(), "name")
        theme.draw_icon(painter, "chevd", QPoint(self.width() - 24, 5), 14)


class MenuBar(QFrame):
    """The window fills ``menus`` and ``project``, and sets which panels are open."""

    palette_asked = Signal()
    panel_asked = Signal(str)
    """A button of a panel was clicked; the :class:`Panel`."""

    def __init__(self, key: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setProperty("surface", "bar")
        self.setProperty("edge", "bottom")
        self.setFixedHeight(theme.size("menu_bar"))
        self.menus = QMenuBar()
        self.menus.setNativeMenuBar(False)
        # Items are aligned to its top: it must not be higher than they are.
        self.menus.setFixedHeight(theme.size("menu_bar") - 4)
        self.project = ProjectSwitcher()
        self._palette_button = _PaletteButton(key)
        self._palette_button.setParent(self)
        self._palette_button.clicked.connect(self.palette_asked)
        row = QHBoxLayout(self)
        leading_margins(row, theme.size("rail"), 0, 8, 0)
        row.setSpacing(0)
        row.addWidget(self.menus, alignment=Qt.AlignmentFlag.AlignVCenter)
        row.addStretch()
        self.panels = {panel: IconButton(f"panel-{panel}", "", size=24) for panel in Panel}
        for panel in (Panel.LEFT, Panel.BOTTOM, Panel.RIGHT):
            button = self.panels[panel]
            button.setProperty("panel", panel.value)
            button.setFocusPolicy(Qt.FocusPolicy.NoFocus)  # a key does the same, and Tab belongs to the work
            button.clicked.connect(self._panel_clicked)
            row.addWidget(button)
        row.addSpacing(4)
        row.addWidget(self.project)
        theme.changed.connect(self.update)

    def leave_alt_to(self, window: QWidget) -> None:
        """Let the window say when Alt opens the menus: Qt would after each look at a node with Alt held."""
        for watched in (self, window):
            watched.removeEventFilter(self.menus)
        AltKey(window).released_alone.connect(self.open_menus)
        MenuKey(window)

    @Slot()
    def open_menus(self) -> None:
        """Open the first menu; arrow keys go to the others."""
        first = next((action for action in self.menus.actions() if action.isVisible()), None)
        if first is not None:
            self.menus.setActiveAction(first)

    def show_panel(self, panel: Panel, *, exists: bool, shown: bool, name: str) -> None:
        """Show whether a panel of the workspace is open; ``name`` is the tooltip of its button."""
        button = self.panels[panel]
        button.setVisible(exists)
        button.set_icon(f"panel-{panel}-open" if shown else f"panel-{panel}", name)

    @Slot()
    def _panel_clicked(self) -> None:
        self.panel_asked.emit(self.sender().property("panel"))

    def show_palette_key(self, key: str) -> None:
        """Show the key that opens the palette, after the person changed it."""
        self._palette_button.set_key(key)

    def resizeEvent(self, event: QResizeEvent) -> None:  # noqa: N802 - Qt's name
        super().resizeEvent(event)
        self._place_palette_button()

    def event(self, event: QEvent) -> bool:
        handled = super().event(event)
        if event.type() == QEvent.Type.LayoutRequest:  # another workspace has other menus
            self._place_palette_button()
        return handled

    def _place_palette_button(self) -> None:
        """Put it in the middle of the window, but not over the menus or what is at the other end."""
        others = [*self.panels.values(), self.project]
        ends = [widget.geometry() for widget in others if not widget.isHidden()]
        titles = [self.menus.actionGeometry(action) for action in self.menus.actions() if action.isVisible()]
        menus = reduce(QRect.united, titles, QRect()).translated(self.menus.pos())
        if self.layoutDirection() is Qt.LayoutDirection.RightToLeft:
            first, last = max(box.right() for box in ends), menus.left()
        else:
            first, last = menus.right(), min(box.left() for box in ends)
        width = min(_PALETTE_WIDTH, last - first - 2 * _BESIDE_PALETTE)
        left = (self.width() - width) // 2
        left = max(first + _BESIDE_PALETTE, min(left, last - _BESIDE_PALETTE - width))
        self._palette_button.setGeometry(left, 4, max(0, width), 22)
        self._palette_button.setVisible(self.width() >= 900 and width >= _PALETTE_WIDTH // 2)

    def paintEvent(self, event: QPaintEvent) -> None:  # noqa: N802 - Qt's name
        super().paintEvent(event)
        box = QRect(0, 0, theme.size("rail"), theme.size("menu_bar") - 1)
        theme.draw_icon_in(painter_of(self), "mark", box, 18)
