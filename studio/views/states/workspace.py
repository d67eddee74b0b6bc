"""The States workspace: its layout, and the controllers that connect its panels to the session."""

from __future__ import annotations

from functools import partial
from pathlib import Path

from PySide6.QtCore import Slot
from PySide6.QtWidgets import QStackedWidget

from collector.model.editing.edit_stack import EditStack
from collector.model.i18n import _
from studio.theme import theme
from studio.views.context_menu import ContextMenu
from studio.views.edited_place import EditedPlace
from studio.views.first_things import FirstThings
from studio.views.panel_layout import Panel
from studio.views.services import WindowServices
from studio.views.states.check_tab import CheckTab
from studio.views.states.essential_state_tab import EssentialStateTab
from studio.views.states.graph.graph_controller import GraphController
from studio.views.states.graph.graph_pane import GraphPane
from studio.views.states.graph.graph_presenter import GraphPresenter
from studio.views.states.graph.screen_presenter import ScreenPresenter
from studio.views.states.labels.labels_tab import LabelsTab
from studio.views.states.proposals.audit_tab import AuditTab
from studio.views.states.proposals.review_context import ReviewContext
from studio.views.states.session import StatesSession
from studio.views.states.session_state import StatesSessionState
from studio.views.states.state_edits import StateEdits
from studio.views.states.suggestion_controller import SuggestionController
from studio.views.states.tab_panel import StatesTabPanel
from studio.views.states.tabs import BOTTOM_TABS, RIGHT_TABS
from studio.views.states.task_chooser import TaskChooser
from studio.views.stored_screens import StoredScreens
from studio.views.trajectory_edits.edit_menu import EDIT_MENU
from studio.views.undo_source import UndoSource, stack_source
from studio.views.workspace import Workspace
from studio.widgets.controls import EmptyState
from studio.widgets.painting import text_width

CARD_MENU = (("states.new", "states.mark-step", "states.toggle-screen"), ("states.delete",))
_BELOW_HEIGHT, _LEAST_BELOW = 487, 240
_LEAST_RIGHT, _BESIDE_CONDITION = 330, 278
_SCROLL_BAR = 12


class StatesWorkspace(Workspace):
    """Builds the panels, the session and the controllers; panels listen to the session."""

    scope = "states"
    folds_right_below = 1100  # the graph and its phone need the width

    def __init__(self, services: WindowServices) -> None:
        super().__init__(services)
        self.session = StatesSession(
            services.project_library,
            services.selection,
            services.tasks,
            services.rule_documents,
            services.settings,
            self,
        )
        session = self.session
        self.screens = StoredScreens(services.tasks, self, services.screens)
        self.graph = GraphPane(self.screens.thumbnails)
        self.edits = StateEdits(session)
        self.right = StatesTabPanel(RIGHT_TABS, session, services, "left")
        self.bottom = StatesTabPanel(BOTTOM_TABS, session, services, "top")
        self.chooser = TaskChooser(session, services.commander)
        self._empty = EmptyState(
            _("No task yet"),
            _("Essential states belong to tasks: create a task, or import a benchmark"),
            _("Go to Project"),
            icon="states",
        )
        self._first = FirstThings(self._empty, "states", services, self)
        self._centre = QStackedWidget()
        self._centre.addWidget(self.graph)
        self._centre.addWidget(self._empty)
        self._lay_out()
        self.presenter = GraphPresenter(session, self.graph, self.screens, services.state_reviews, self)
        self.screen_presenter = ScreenPresenter(session, self.graph, self)
        self.controller = GraphController(session, self.graph, self.edits, services, self)
        self.suggestions = SuggestionController(session, self.edits, services, self)
        self._connect()
        self._connect_views()
        self.review_context = ReviewContext(session, services, self)
        session.start()

    def _lay_out(self) -> None:
        self.set_centre(self._centre)
        self.set_below(self.bottom, head=theme.size("tab") + 1, height=_BELOW_HEIGHT)
        # "If", "all any not" and the button of a condition are in one line.
        least = max(_LEAST_RIGHT, _BESIDE_CONDITION + text_width(_("Condition"), "name"))
        self.set_right(self.right, "inspector", _("Essential state"), least=least)
        self.toolbar.facts.addWidget(self.chooser)

    def _connect(self) -> None:
        session, commander = self.session, self.services.commander
        session.failed.connect(self.services.toasts.show_error)
        session.history_changed.connect(self.history_changed)
        for signal in (session.project_opened, session.task_changed, session.trajectories_changed,
                       session.states_changed, session.state_selected, session.reach_changed):  # fmt: skip
            signal.connect(self._show_context)
        self.bottom.shown.connect(self._open_below)
        self.bottom.tabs.changed.connect(self._show_comparing)
        self.panels_changed.connect(self._show_comparing)
        self.bottom.tabs.changed.connect(self._show_labelling)
        self.panels_changed.connect(self._show_labelling)
        for place in (session.trajectory_changed, session.step_changed):
            place.connect(self.place_changed)
        self._empty.pressed.connect(self._go_to_project)
        self._first.changed.connect(self._show_context)
        commander.handle("states.check", self._check_task)
        commander.handle("states.check-project", self._check_project)
        commander.handle("states.compare", self._compare, checked=lambda: self._is_comparing)
        commander.handle("states.audit", self._audit)
        commander.handle("states.choose-task", self.chooser.open)
        commander.handle("states.show-labels", self._label)
        commander.handle("states.show-agreement", partial(self._show_below, "agreement"))
        commander.handle("states.show-judges", partial(self._show_below, "judges"))

    def _connect_views(self) -> None:
        session, graph, commander = self.session, self.graph, self.services.commander
        commander.handle("states.previous-step", lambda: session.go(session.step - 1))
        commander.handle("states.next-step", lambda: session.go(session.step + 1))
        commander.handle("states.next-trajectory", session.next_trajectory)
        commander.handle("states.toggle-screen", self._toggle_screen, checked=lambda: graph.is_screen_shown)
        commander.handle("states.fit", graph.canvas.fit)
        commander.handle("states.enlarge", self._toggle_alone, checked=lambda: self._is_alone)
        self.screen_presenter.menu.chosen.connect(self.controller.add_suggestion)
        graph.show_screen.clicked.connect(self._toggle_screen)
        graph.screen_pane.nodes_shown.connect(self._state_tab.view.form.show_nodes)
        graph.fit.clicked.connect(graph.canvas.fit)
        graph.enlarge.clicked.connect(self._toggle_alone)
        graph.canvas.height_wanted.connect(self._make_room)
        graph.screen_toggled.connect(self._make_wanted_room)
        ContextMenu(graph.canvas, CARD_MENU, self.services, graph.canvas.choose_at)
        ContextMenu(graph.canvas, EDIT_MENU, self.services, graph.canvas.choose_step_at)
        graph.canvas.slot_opened.connect(self._open_step)
        graph.canvas.card_opened.connect(self._edit_card)

    # -- what is shown -------------------------------------------------------
    @Slot()
    def _toggle_screen(self) -> None:
        self.graph.show_screen_pane(not self.graph.is_screen_shown)

    @Slot(int)
    def _make_room(self, height: int) -> None:
        """Let the panel below give way to many lanes or the screen, unless the person chose its height."""
        if self.graph.is_screen_shown:
            self.suggest_height_below(_LEAST_BELOW)  # nodes have to be large enough to be clicked
            return
        room = self.height() - self.toolbar.height() - theme.size("section_header") - 2
        self.suggest_height_below(max(_LEAST_BELOW, min(_BELOW_HEIGHT, room - height - _SCROLL_BAR)))

    @Slot()
    def _make_wanted_room(self) -> None:
        self._make_room(self.graph.canvas.wanted_height)

    def resizeEvent(self, event: object) -> None:  # noqa: N802 - Qt's name
        super().resizeEvent(event)
        self._make_wanted_room()

    @Slot(int)
    def _open_step(self, step: int) -> None:
        self.session.go(step)
        self.graph.show_screen_pane(True)

    @property
    def _state_tab(self) -> EssentialStateTab:
        page = self.right.page("essential-state")
        assert isinstance(page, EssentialStateTab)
        return page

    @Slot(str)
    def _edit_card(self, _state_id: str) -> None:
        self.right.show_tab("essential-state")
        self.show_panel(Panel.RIGHT)
        self._state_tab.edit_sentence()

    @property
    def _is_alone(self) -> bool:
        return not (self.panel_shown(Panel.RIGHT) or self.panel_shown(Panel.BOTTOM))

    @Slot()
    def _toggle_alone(self) -> None:
        """Fold the panels around the graph, or open them again."""
        alone = not self._is_alone
        for panel in (Panel.RIGHT, Panel.BOTTOM):
            self.show_panel(panel, not alone)
        self.graph.enlarge.setChecked(alone)

    @Slot()
    def _show_context(self) -> None:
        """Say what the commands can work on, and show the empty state while there is no task."""
        session = self.session
        has_task = session.task is not None
        self.services.commander.set_context(
            states__task=has_task,
            states__recorded=bool(session.trajectories),
            states__judged=bool(session.reach),
            state__selected=session.state is not None,
        )
        is_empty = not has_task or (self._first.is_missing and not session.states)
        self._centre.setCurrentIndex(int(is_empty))
        self.set_panel_needed(Panel.BOTTOM, not is_empty)
        self.set_panel_needed(Panel.RIGHT, not is_empty)

    @property
    def _is_comparing(self) -> bool:
        return self.bottom.current == "proposals" and self.panel_shown(Panel.BOTTOM)

    @Slot()
    def _show_comparing(self) -> None:
        """Let the button of the comparison stand out while it is shown."""
        self.services.commander.set_context(states__comparing=self._is_comparing)

    def _compare(self) -> None:
        """Show the proposals of both operators; fold the panel that shows them."""
        if self._is_comparing:
            self.show_panel(Panel.BOTTOM, False)
            return
        self._show_below("proposals")
        self.bottom.page("proposals").setFocus()

    def _audit(self) -> None:
        self.right.show_tab("audit")
        self.show_panel(Panel.RIGHT)
        page = self.right.page("audit")
        assert isinstance(page, AuditTab)
        page.take_keyboard()

    def _check_task(self) -> None:
        self._check(self.session.task_id)

    def _check_project(self) -> None:
        self._check("")

    def _check(self, task_id: str) -> None:
        page = self.bottom.page("check")
        assert isinstance(page, CheckTab)
        page.check(task_id)
        self._show_below("check")

    def _show_below(self, tab_id: str) -> None:
        self.bottom.show_tab(tab_id)
        self._open_below()

    def _label(self) -> None:
        self._show_below("labels")
        self.labels.take_focus()

    @property
    def labels(self) -> LabelsTab:
        """The tab that labels trajectories."""
        page = self.bottom.page("labels")
        assert isinstance(page, LabelsTab)
        return page

    @Slot()
    def _show_labelling(self) -> None:
        """Give the keys of labels to the tab while it is on show."""
        shown = self.bottom.current == "labels" and self.panel_shown(Panel.BOTTOM)
        self.labels.controller.set_in_front(shown)

    @Slot()
    def _open_below(self) -> None:
        self.show_panel(Panel.BOTTOM)

    @Slot()
    def _go_to_project(self) -> None:
        self.services.run_command("view.project")

    @property
    def edited_place(self) -> EditedPlace | None:
        shown, steps = self.session.trajectory, self.session.steps
        if shown is None or shown.header.is_run or not 0 <= self.session.step < len(steps):
            return None
        return EditedPlace(shown.folder, self.session.step, len(steps))

    @property
    def edit_stack(self) -> EditStack:
        return self.session.history

    def show_edited(self, folder: Path, step: int) -> None:
        self.session.show_anew(folder.name, step)

    @property
    def history(self) -> UndoSource:
        """The edits of all rule files, of the states that tasks name, of labels and of trajectories."""
        return stack_source(self.session.history)

    # -- life ----------------------------------------------------------------
    def activate(self) -> None:
        self.session.set_in_front(True)
        self.services.state_reviews.reload()
        self.review_context.set_in_front(True)
        self.take_keyboard()

    def take_keyboard(self) -> None:
        self.graph.canvas.setFocus()

    def deactivate(self) -> None:
        self.session.set_in_front(False)
        self.review_context.set_in_front(False)
        self.session.documents.save()

    def keep_state(self) -> StatesSessionState:
        return self.session.keep_state()

    def take_state(self, state: StatesSessionState) -> None:
        self.session.take_state(state)

    def close_workspace(self) -> None:
        self.session.close()
