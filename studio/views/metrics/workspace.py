"""The Metrics workspace: its layout, and the controllers that connect its panels to the session."""

from __future__ import annotations

from PySide6.QtCore import Slot
from PySide6.QtWidgets import QStackedWidget

from collector.metrics.breakdowns.dimensions import STALE
from collector.model.i18n import _
from studio.theme import theme
from studio.views.first_things import FirstThings
from studio.views.metrics.choice_bar import ChoiceBar
from studio.views.metrics.choice_menus import ChoiceMenus
from studio.views.metrics.counted_episode_controller import CountedEpisodeController
from studio.views.metrics.episodes_panel import EpisodesPanel
from studio.views.metrics.plots_panel import PlotsPanel
from studio.views.metrics.session import MetricsSession, MetricsSessionState
from studio.views.metrics.table_controller import TableController
from studio.views.metrics.table_panel import TablePanel
from studio.views.metrics.window_study_controller import WindowStudyController
from studio.views.panel_layout import Panel
from studio.views.services import WindowServices
from studio.views.workspace import Workspace
from studio.widgets.controls import EmptyState

_PLOTS_HEIGHT = 510


class MetricsWorkspace(Workspace):
    """Builds the panels, the session and the controllers; panels listen to the session."""

    scope = "metrics"
    folds_right_below = 1100  # the numbers need the width

    def __init__(self, services: WindowServices) -> None:
        super().__init__(services)
        self.session = MetricsSession(services.project_library, services.tasks, self)
        self.table = TablePanel(self.session, services)
        self.plots = PlotsPanel(self.session, services)
        self.episodes = EpisodesPanel(self.session, services)
        self._empty = EmptyState(
            _("No episode yet"),
            _("Numbers come from the runs of agents: compose an experiment, or import a benchmark"),
            _("Go to Run"),
            icon="metrics",
        )
        self._first = FirstThings(self._empty, "metrics", services, self)
        self._centre = QStackedWidget()
        self.choices = ChoiceBar(self.session, services.commander)
        self._lay_out()
        self.menus = ChoiceMenus(self.session, services, self.choices, self)
        self.copies = TableController(self.session, services, self.toolbar.buttons["metrics.copy"], self)
        self._episode_commands = CountedEpisodeController(self.session, services, self.episodes, self)
        WindowStudyController(self.session, services, self.table.study, self)
        self._connect()
        self.session.start()

    def _lay_out(self) -> None:
        self.toolbar.leading.addWidget(self.choices)
        self.toolbar.leading_needs = lambda: self.choices.width_with_names
        self._centre.addWidget(self.table)
        self._centre.addWidget(self._empty)
        self.set_centre(self._centre)
        self.set_below(self.plots, head=theme.size("section_header"), height=_PLOTS_HEIGHT)
        self.set_right(self.episodes, "inspector", _("Episodes"))

    def _connect(self) -> None:
        session = self.session
        session.failed.connect(self.services.toasts.show_error)
        self._empty.pressed.connect(self._go_to_run)
        for signal in (session.project_opened, session.selection_changed, session.layout_changed,
                       session.columns_changed, session.table_changed, session.number_changed):  # fmt: skip
            signal.connect(self._show_context)

    @Slot()
    def _show_context(self) -> None:
        """Say what the commands can work on, and show the empty state while there is no episode."""
        session, selection = self.session, self.session.selection
        has_episodes = session.loaded is not None and len(session.loaded.found) > 0
        self.services.commander.set_context(
            metrics__episodes=has_episodes,
            metrics__pivot=has_episodes and not session.layout.view,
            metrics__narrowed=bool(selection.query or selection.kept),
            metrics__stale=bool(session.values_of("freshness").get(STALE)),
            metrics__view=session.layout.view,
            metrics__counted=bool(session.tables) and session.is_counted,
            metrics__tables=bool(session.tables) and has_episodes,
            metrics__number=session.number is not None,
        )
        is_empty = session.loaded is not None and not has_episodes
        self._centre.setCurrentIndex(1 if is_empty or session.folder is None else 0)
        self.set_panel_needed(Panel.BOTTOM, has_episodes)
        self.set_panel_needed(Panel.RIGHT, has_episodes)

    @Slot()
    def _go_to_run(self) -> None:
        self.services.run_command("view.run")

    # -- life ----------------------------------------------------------------
    def activate(self) -> None:
        self.session.set_in_front(True)
        self.take_keyboard()

    def take_keyboard(self) -> None:
        self.table.focus_numbers()

    def deactivate(self) -> None:
        self.session.set_in_front(False)

    def keep_state(self) -> MetricsSessionState:
        return self.session.keep_state()

    def take_state(self, state: MetricsSessionState) -> None:
        self.session.take_state(state)

    def close_workspace(self) -> None:
        self.session.close()
