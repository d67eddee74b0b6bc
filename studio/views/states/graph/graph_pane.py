"""The centre of the States workspace: essential states over a film strip, and the screen of a step."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QRect, QSize, Qt, Signal
from PySide6.QtGui import QPaintEvent
from PySide6.QtWidgets import QFrame, QHBoxLayout, QSizePolicy, QStackedWidget, QVBoxLayout, QWidget

from collector.model.i18n import _
from studio.theme import theme
from studio.theme.mirroring import painter_of
from studio.views.conditions.screen_pane import ScreenPane
from studio.views.states.graph.graph_cards import LEGEND
from studio.widgets.controls import EmptyState, Label, SegmentedControl, header_row
from studio.widgets.icon_button import IconButton
from studio.widgets.painted_items import Role
from studio.widgets.painting import draw_text, text_width
from studio.widgets.state_graph.canvas import StateGraphCanvas
from studio.widgets.thumbnail_cache import ThumbnailCache
from studio.widgets.window_frame.panel_splitter import PanelSplitter

_MOST_SEGMENTS = 3
_SCREEN_WIDTH = 400
_LEAST_GRAPH = 420
_LEAST_ABOUT = 132


class GraphLegend(QWidget):
    """Says what the icons of the cards mean; where there is little room the last ones give way."""

    spoken_role = Role.StaticText

    def __init__(self) -> None:
        super().__init__()
        self.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Fixed)
        self._parts = [(icon, _(words)) for icon, words in LEGEND]
        self.setAccessibleName(", ".join(words for _icon, words in self._parts))
        theme.changed.connect(self.update)

    def sizeHint(self) -> QSize:  # noqa: N802 - Qt's name
        return QSize(sum(self._width(words) for _icon, words in self._parts), theme.size("button_small"))

    def minimumSizeHint(self) -> QSize:  # noqa: N802 - Qt's name
        return QSize(0, theme.size("button_small"))

    @staticmethod
    def _width(words: str) -> int:
        return 18 + text_width(words, "caption") + 14

    def paintEvent(self, _event: QPaintEvent) -> None:  # noqa: N802 - Qt's name
        painter, left = painter_of(self), 0
        for icon, words in self._parts:
            width = self._width(words)
            if left + width > self.width():
                return
            theme.draw_icon_in(painter, icon, QRect(left, 0, 14, self.height()), 14)
            draw_text(painter, QRect(left + 18, 0, width, self.height()), words, "caption", "text-2")
            left += width


class GraphPane(QFrame):
    """Shows what it is given; controllers and the presenter connect its parts."""

    screen_toggled = Signal()
    """The screen of the step was shown beside the graph, or hidden."""
    trajectory_chosen = Signal(str)
    """Id of a trajectory to show in the film strip."""

    def __init__(self, thumbnails: ThumbnailCache) -> None:
        super().__init__()
        self.setProperty("surface", "canvas")
        self.canvas = StateGraphCanvas(thumbnails)
        self.screen_pane = ScreenPane(only_recorded=True)
        self.about = Label("", "body", "text-2", cut=True)
        self.choose = IconButton("list", _("Choose a trajectory"), size=24)
        self.fit = IconButton("fit", _("Fit"), size=24)
        self.show_screen = IconButton("phone", _("Screen"), size=24, checkable=True)
        self.enlarge = IconButton("ext", _("Full screen"), size=24, checkable=True)
        self.empty = EmptyState(
            _("No essential state yet"),
            _("Add the first one, or let the golden trajectories suggest them"),
            _("New essential state"),
            icon="states",
            button_icon="plus",
            shows_enter=False,
        )
        self._choices: tuple[tuple[str, str], ...] = ()
        self._switch = SegmentedControl([("", "-", "")])
        self._switch_place = QHBoxLayout()
        self._pages = QStackedWidget()
        self._lay_out()
        self.show_screen_pane(False)

    def _lay_out(self) -> None:
        head, row = header_row("section_header")
        row.addWidget(Label(_("Essential states"), "heading"))
        self.about.setMinimumWidth(_LEAST_ABOUT)
        row.addWidget(self.about, 1)
        row.addLayout(self._switch_place)
        row.addWidget(self.choose)
        row.addSpacing(4)
        row.addWidget(GraphLegend(), 4)
        for button in (self.show_screen, self.fit, self.enlarge):
            row.addWidget(button)
        self._pages.addWidget(self.canvas)
        self._pages.addWidget(self.empty)
        across = PanelSplitter(Qt.Orientation.Horizontal)
        across.addWidget(self._pages)
        across.addWidget(self.screen_pane)
        across.setStretchFactor(0, 1)
        across.setStretchFactor(1, 0)
        self._pages.setMinimumWidth(_LEAST_GRAPH)
        self._across = across
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addWidget(head)
        column.addWidget(across, 1)

    def show_trajectories(self, listed: Sequence[tuple[str, str]], current: str) -> None:
        """Offer trajectories (id, title) in the switch: the first few, and the current one."""
        few = list(listed[:_MOST_SEGMENTS])
        few += [item for item in listed[_MOST_SEGMENTS:] if item[0] == current]
        if tuple(few) != self._choices:
            self._choices = tuple(few)
            self._switch.hide()
            self._switch.deleteLater()
            self._switch = SegmentedControl([(name, title, "") for name, title in few] or [("", "-", "")])
            self._switch.chosen.connect(self.trajectory_chosen)
            self._switch_place.addWidget(self._switch)
        self._switch.setVisible(bool(few))
        self.choose.setVisible(len(listed) > len(few))
        if current:
            self._switch.set_current(current)

    def show_empty(self, empty: bool) -> None:
        """Show the sentence that there are no essential states, or the graph."""
        self._pages.setCurrentIndex(int(empty))

    @property
    def is_screen_shown(self) -> bool:
        """Whether the screen of the step stands beside the graph."""
        return not self.screen_pane.isHidden()

    def show_screen_pane(self, shown: bool) -> None:
        """Show the screen of the step beside the graph, or the graph alone."""
        was_shown = self.is_screen_shown
        self.screen_pane.setVisible(shown)
        self.show_screen.setChecked(shown)
        if shown and self._across.sizes()[1] < _SCREEN_WIDTH:
            self._across.setSizes([max(_LEAST_GRAPH, self.width() - _SCREEN_WIDTH), _SCREEN_WIDTH])
        if shown != was_shown:
            self.screen_toggled.emit()
