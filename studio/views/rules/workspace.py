"""The Rules workspace: its layout, and the controllers that connect its panels to the session."""

from __future__ import annotations

from dataclasses import replace

from PySide6.QtCore import QRect, Qt, QTimer, Slot
from PySide6.QtWidgets import QStackedWidget, QVBoxLayout, QWidget

from collector.model.i18n import _
from rule_editor.widgets.condition_menu import ConditionMenu
from rule_editor.widgets.matrix.panel import BackTestPanel
from rule_editor.widgets.rule_list import RuleList
from studio.bridge.rules.rule_names import file_of_group, kind_of_group
from studio.theme import theme
from studio.views.conditions.node_menu import NodeMenuController
from studio.views.conditions.screen_pane import ScreenPane
from studio.views.conditions.studio_toolkit import STUDIO_TOOLKIT
from studio.views.first_things import FirstThings
from studio.views.panel_layout import Panel
from studio.views.rules.anomalies.anomaly_edit_controller import AnomalyEditController
from studio.views.rules.anomalies.anomaly_library_controller import AnomalyLibraryController
from studio.views.rules.anomalies.anomaly_pane import AnomalyPane
from studio.views.rules.anomalies.anomaly_presenter import AnomalyPresenter
from studio.views.rules.anomalies.anomaly_preview_pane import AnomalyPreviewPane
from studio.views.rules.backtest_controller import BacktestController
from studio.views.rules.bottom_panel import BACKTEST, REHEARSAL, RulesBottomPanel
from studio.views.rules.command_context import RulesCommandContext
from studio.views.rules.completion_vocabulary import CompletionProvider
from studio.views.rules.condition_controller import ConditionController
from studio.views.rules.diagnostic_badges import DiagnosticTally
from studio.views.rules.document_pane import DocumentPane, next_view
from studio.views.rules.live import LiveScreen
from studio.views.rules.proof_display import ProofDisplay
from studio.views.rules.proposal_controller import ProposalController
from studio.views.rules.quick_fixes import QuickFixController
from studio.views.rules.rehearsal.controller import RehearsalController
from studio.views.rules.rule_edit_controller import RuleEditController
from studio.views.rules.rule_evaluation import RuleEvaluation
from studio.views.rules.rule_findings import RuleFindings
from studio.views.rules.rule_list_controller import RuleListController
from studio.views.rules.rule_list_presenter import RuleListPresenter
from studio.views.rules.rule_pane import RulePane
from studio.views.rules.rule_presenter import RulePresenter
from studio.views.rules.rule_users import RuleUsersController
from studio.views.rules.screen_controller import ScreenController
from studio.views.rules.session import RulesSession
from studio.views.rules.session_state import RulesSessionState
from studio.views.services import WindowServices
from studio.views.undo_source import UndoSource, stack_source
from studio.views.variations.part import VariationsPart
from studio.views.workspace import Workspace
from studio.widgets.controls import Label, Tabs, divider, surface
from studio.widgets.late_pages import LatePages
from studio.widgets.window_frame.panel_splitter import PanelSplitter

_MATRIX_HEIGHT = 236
_SCREEN, _NARROW_SCREEN, _RULE = 440, 388, 850
RULES_TAB, VARIATIONS_TAB = 0, 1


class RulesWorkspace(Workspace):
    """Builds the panels, the session and the controllers; panels listen to the session."""

    scope = "rules"

    def __init__(self, services: WindowServices) -> None:
        super().__init__(services)
        self.session = RulesSession(
            services.project_library, services.selection, services.tasks, services.rule_documents, self
        )
        self._build_panels(services)
        self._lay_out()
        self.session.selected.connect(self._show_panels)
        self.tabs.changed.connect(self.show_tab)
        for changed in (self.session.opened, self.session.entries_changed, self.session.history_changed):
            changed.connect(self.history_changed)
        self.bottom.page_wanted.connect(self._open_bottom)
        self._connect_presenters(services)
        self._connect_editing(services)
        self._connect_screen(services)
        self.session.failed.connect(services.toasts.show_error)
        self.session.semantics_changed.connect(self._show_semantics)
        services.commander.handle("rules.switch-editor", self.switch_editor)
        services.commander.handle("rules.find", self._find)
        services.commander.handle("rules.variations", self.switch_tab)
        services.commander.handle("variation.new", lambda: self.variations.session.add())
        services.commander.handle("variation.delete", lambda: self.variations.session.delete())
        services.commander.handle("rules.show-line", self._show_line)
        self.session.line_wanted.connect(self._go_to_line)
        services.devices.current_changed.connect(self.live.set_phone)
        self.live.set_phone(services.devices.current)
        self._show_semantics()
        self._show_commands()
        self.session.project_opened.connect(self._show_access)
        self._is_started = False
        # In a turn of its own: this turn built the panels, and the window paints them before they are filled.
        QTimer.singleShot(0, self, self._start)

    @Slot()
    def _start(self) -> None:
        """Open the project in the session; whatever selects something in it calls this first."""
        if not self._is_started:
            self._is_started = True
            self.session.start()

    # -- building ------------------------------------------------------------
    def _build_panels(self, services: WindowServices) -> None:
        self.list = RuleList(STUDIO_TOOLKIT)
        self.screen_pane = ScreenPane()
        self.rule_pane = RulePane(STUDIO_TOOLKIT)
        FirstThings(self.rule_pane.empty, "rules", services, self)
        self.anomaly_pane = AnomalyPane(STUDIO_TOOLKIT)
        self.preview = AnomalyPreviewPane(services.previews)
        self.bottom = RulesBottomPanel()
        self.matrix = BackTestPanel(STUDIO_TOOLKIT, lead=self.bottom.make_switch())
        self.menu = ConditionMenu(STUDIO_TOOLKIT, self)
        self.live = LiveScreen(self.screen_pane, self)
        self.rehearsal = RehearsalController(
            self.session, services, self.bottom, self.screen_pane, self.live, self
        )
        self._screens, self._panes = LatePages(), LatePages()
        self._variations: VariationsPart | None = None
        self.tabs = Tabs([_("Rules and anomalies"), _("Variations")])
        self._lists, self._centres = QStackedWidget(), QStackedWidget()
        self._semantics = Label("", "body", "text-2")
        self.tally = DiagnosticTally()

    def _lay_out(self) -> None:
        self.set_left(self._left(), "rules_list", _("Rules"))
        self._centres.addWidget(self._centre())
        self.set_centre(self._centres)
        self.bottom.add_named_page(BACKTEST, self.matrix)
        self.bottom.add_named_page(REHEARSAL, self.rehearsal.panel)
        self.set_below(self.bottom, head=theme.size("section_header"), height=_MATRIX_HEIGHT)
        self.toolbar.facts.addWidget(self._semantics)
        self.toolbar.facts.addWidget(self.tally)

    def _left(self) -> QWidget:
        left = surface("panel")
        column = QVBoxLayout(left)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        self._lists.addWidget(self.list)
        column.addWidget(self.tabs)
        column.addWidget(divider())
        column.addWidget(self._lists, 1)
        return left

    @property
    def variations(self) -> VariationsPart:
        """The parts of the tab Variations, half the widgets of the workspace: built when first used."""
        if self._variations is None:
            part = self._variations = VariationsPart(self.services, self)
            part.session.history_changed.connect(self.history_changed)
            self._centres.addWidget(part.centre)
            self._lists.addWidget(part.list)
        return self._variations

    def _centre(self) -> QWidget:
        across = PanelSplitter(Qt.Orientation.Horizontal)
        self.screen_pane.setMinimumWidth(max(_NARROW_SCREEN, self.screen_pane.minimumSizeHint().width()))
        for stack, of_rule, of_anomaly in (
            (self._screens, self.screen_pane, self.preview), (self._panes, self.rule_pane, self.anomaly_pane),
        ):  # fmt: skip
            stack.add_page(of_rule)
            stack.add_page(of_anomaly)
            across.addWidget(stack)
        across.setSizes([_SCREEN, _RULE])
        across.setStretchFactor(0, 1)
        across.setStretchFactor(1, 2)
        return across

    def _connect_presenters(self, services: WindowServices) -> None:
        """Connect what shows the session; first, so that panels are filled before other listeners react."""
        session = self.session
        self.rule_presenter = RulePresenter(session, self.rule_pane, self)
        self.anomaly_presenter = AnomalyPresenter(session, self.anomaly_pane, self.preview, self)
        self.list_presenter = RuleListPresenter(session, self.list, self.tally, self)
        RulesCommandContext(session, services.commander, self)
        CompletionProvider(session, self.rule_pane, self)
        ProofDisplay(session, self.screen_pane, self.rule_pane, self)

    def _connect_editing(self, services: WindowServices) -> None:
        session, commander, toasts = self.session, services.commander, services.toasts
        self.rule_edits = RuleEditController(
            session,
            self.rule_pane,
            services.project_library,
            services.stored_labels,
            toasts,
            services.run_command,
            self,
        )
        self.users = RuleUsersController(session, self.rule_pane, services, self)
        self.anomaly_edits = AnomalyEditController(session, self.anomaly_pane, commander, self)
        self.anomalies = AnomalyLibraryController(
            session,
            self.anomaly_pane,
            services.project_library,
            services.stored_labels,
            self.toolbar,
            commander,
            toasts,
            self,
        )
        self.rules = RuleListController(
            session, self.list, self.rule_edits, self.anomalies, self.toolbar, commander, toasts, self
        )
        self.conditions = ConditionController(
            session, self.rule_pane.form, self.rules, commander, services.tasks, toasts, self
        )
        self.proposals = ProposalController(
            session,
            self.rules,
            self.rule_pane,
            services.project_library,
            self.toolbar,
            commander,
            toasts,
            self,
        )
        QuickFixController(
            session, self.rule_pane, self.anomaly_pane, self.anomaly_presenter, commander, toasts, self
        )
        self.rule_pane.form.anomaly_wanted.connect(self.anomalies.open)
        self.menu.chosen.connect(self.conditions.add_suggestion)
        self.matrix.explain.tried.connect(self.rule_edits.apply_advice)
        commander.handle("anomaly.toggle-dark", self.preview.toggle_dark)

    def _connect_screen(self, services: WindowServices) -> None:
        session, commander = self.session, services.commander
        self.screen_pane.nodes_shown.connect(self.rule_pane.show_nodes)
        ScreenController(session, self.screen_pane, self.live, commander, self)
        NodeMenuController(self.screen_pane, self.menu, session.screen_in_question, session.backtests, self)
        BacktestController(session, self.matrix, commander, services.tasks, services.toasts, self)
        RuleEvaluation(session, self)
        RuleFindings(session, services.findings, self)

    @property
    def phone_rect(self) -> QRect:
        """Where the recorded or live screen is, in this widget."""
        view = self.screen_pane.view
        shown = view.picture_rect()
        return QRect(view.mapTo(self, shown.topLeft()), shown.size()) if view.isVisible() else QRect()

    # -- what is shown -------------------------------------------------------
    @Slot()
    def _show_panels(self) -> None:
        """Show the panels of a rule, or those of an anomaly."""
        shows_anomaly = self.session.shows_anomaly
        for stack in (self._screens, self._panes):
            stack.show_page(int(shows_anomaly))
        needs_bottom = not shows_anomaly or self.bottom.page == REHEARSAL
        self.set_panel_needed(Panel.BOTTOM, needs_bottom and not self.shows_variations)

    @property
    def shows_variations(self) -> bool:
        """Whether the tab Variations is open."""
        return self.tabs.current == VARIATIONS_TAB

    @Slot(int)
    def show_tab(self, tab: int) -> None:
        """Open the tab of rules and anomalies, or that of variations."""
        self.tabs.set_current(tab)
        if self.shows_variations or self._variations is not None:
            self.variations.show_part(self.shows_variations)
        for stack in (self._lists, self._centres):
            stack.setCurrentIndex(tab)
        self._show_commands()
        self._show_panels()
        self.history_changed.emit()

    def _show_commands(self) -> None:
        """Show the commands and the facts of the open tab in the toolbar."""
        for command in self.toolbar.buttons:
            self.toolbar.set_shown(command, command.startswith("variation.") == self.shows_variations)
        for fact in (self._semantics, self.tally):
            fact.setVisible(not self.shows_variations)

    @Slot()
    def _open_bottom(self) -> None:
        self._show_panels()
        self.show_panel(Panel.BOTTOM)

    @Slot()
    def _show_access(self) -> None:
        """Let nothing be typed in a project that is read-only."""
        project = self.services.project_library.project
        for pane in (self.rule_pane, self.anomaly_pane):
            pane.set_read_only(project is not None and project.is_read_only)

    @Slot()
    def _show_semantics(self) -> None:
        self._semantics.setText(_("Semantics: {name}", name=self.session.semantics))

    def switch_editor(self) -> None:
        """Show form and YAML, YAML alone, or the form alone, in turn."""
        pane: DocumentPane = self.anomaly_pane if self.session.shows_anomaly else self.rule_pane
        pane = self.variations.pane if self.shows_variations else pane
        pane.set_view(next_view(pane.view))

    def show_entry(self, kind: str, entry_id: str) -> None:
        """Select a rule or an anomaly of a group, once the files are read."""
        self.show_tab(RULES_TAB)
        self._start()
        self.session.reveal(kind_of_group(kind), entry_id, file_of_group(kind))

    def switch_tab(self) -> None:
        """Open the other tab, and the panel with its list."""
        self.show_panel(Panel.LEFT)
        self.show_tab(RULES_TAB if self.shows_variations else VARIATIONS_TAB)

    def _find(self) -> None:
        (self.variations.list if self.shows_variations else self.list).filter.setFocus()

    @property
    def history(self) -> UndoSource:
        """The edits of all rule files and of the anomaly library; those of variations in their tab."""
        return stack_source((self.variations if self.shows_variations else self).session.history)

    def _show_line(self, place: str) -> None:
        self._start()
        self.session.show_line(place)

    @Slot(int)
    def _go_to_line(self, offset: int) -> None:
        (self.anomaly_pane if self.session.shows_anomaly else self.rule_pane).yaml.go_to(offset)

    # -- life ----------------------------------------------------------------
    def activate(self) -> None:
        self.take_keyboard()

    def take_keyboard(self) -> None:
        (self.variations.list.rows if self.shows_variations else self.list.view).setFocus()

    def deactivate(self) -> None:
        self.rehearsal.rehearsals.stop()  # nothing is injected while the person looks elsewhere
        self.session.documents.save()
        if self._variations is not None:
            self._variations.session.save()

    def keep_state(self) -> RulesSessionState:
        variations = self._variations.session.keep_state() if self._variations is not None else None
        return replace(self.session.keep_state(), variations=variations)

    def take_state(self, state: RulesSessionState) -> None:
        self._start()
        self.session.take_state(state)
        if state.variations is not None:
            self.variations.session.take_state(state.variations)

    def close_workspace(self) -> None:
        self.rehearsal.rehearsals.stop()
        self.live.close()
        if self._variations is not None:
            self._variations.session.close()
        self.session.close()
