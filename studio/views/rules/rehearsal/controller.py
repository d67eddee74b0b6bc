"""Start, stop and set up a rehearsal: its commands, the head of its panel and its empty state."""

from __future__ import annotations

import secrets

from PySide6.QtCore import QObject, Slot
from PySide6.QtWidgets import QWidget

from collector.anomalies.rehearsal_run import RehearsalInput
from collector.model.i18n import _
from collector.rules.grammar.model import INJECTION, Rule
from studio.bridge.anomalies.rehearsal import Rehearsals
from studio.views.conditions.screen_pane import ScreenPane
from studio.views.context_menu import ContextMenu
from studio.views.rules.bottom_panel import REHEARSAL, RulesBottomPanel
from studio.views.rules.live import LiveScreen
from studio.views.rules.rehearsal.lane_controller import RehearsalLaneController
from studio.views.rules.rehearsal.panel import LIVE, ONE, RehearsalPanel
from studio.views.rules.session import RulesSession
from studio.views.services import WindowServices
from studio.widgets.device_view.view import MirrorMode

LANE_MENU = (
    ("rules.rehearse-fire-now", "rules.rehearse-dry-run"),
    ("rules.rehearse-scope", "rules.rehearse-seed"),
    ("rules.rehearse-clear",),
)
_SEEDS = 100_000
"""New seeds are below it, so that people can pass them on."""


class RehearsalController(QObject):
    """Owns the rehearsals of the workspace."""

    def __init__(
        self, session: RulesSession, services: WindowServices, bottom: RulesBottomPanel, screen: ScreenPane,
        live: LiveScreen, host: QWidget,
    ) -> None:  # fmt: skip
        super().__init__(host)
        self._session, self._services = session, services
        self._bottom, self._screen, self._live = bottom, screen, live
        self.rehearsals = Rehearsals(services.tasks, services.devices, services.anomalies, self.input, self)
        self.panel = RehearsalPanel(bottom.make_switch())
        self.lane = RehearsalLaneController(session, self.rehearsals, self.panel, screen, self)
        self._handle_commands()
        self._connect_panel()
        self._connect_session()
        self.update()

    def _handle_commands(self) -> None:
        handle = self._services.commander.handle
        handle("rules.rehearse", self.toggle)
        handle("rules.rehearse-dry-run", self.toggle_mode)
        handle("rules.rehearse-scope", self.toggle_scope)
        handle("rules.rehearse-fire-now", self.fire_now)
        handle("rules.rehearse-seed", self.draw_seed)
        handle("rules.rehearse-clear", self.rehearsals.clear)

    def _connect_panel(self) -> None:
        panel, rehearsals, commander = self.panel, self.rehearsals, self._services.commander
        ContextMenu(panel.lane, LANE_MENU, self._services, lambda at: at or panel.lane.rect().center())
        panel.empty.command_wanted.connect(commander.run)
        panel.start.clicked.connect(self.toggle)
        panel.mode.chosen.connect(self._choose_mode)
        panel.scope.chosen.connect(self._choose_scope)
        panel.seed_chosen.connect(self._choose_seed)
        panel.most_chosen.connect(self._choose_most)
        panel.dice.clicked.connect(self.draw_seed)
        panel.fire.clicked.connect(self.fire_now)
        panel.undo.clicked.connect(self._undo)
        panel.clear.clicked.connect(rehearsals.clear)

    def _connect_session(self) -> None:
        session, rehearsals = self._session, self.rehearsals
        for signal in (
            rehearsals.judged, rehearsals.changed, rehearsals.setup_changed, rehearsals.running_changed,
            rehearsals.phone_changed, session.entries_changed,
        ):  # fmt: skip
            signal.connect(self.update)
        rehearsals.failed.connect(self._services.toasts.show_error)
        session.opened.connect(self._documents_opened)
        session.selected.connect(self._update_commands)
        session.corpus_changed.connect(self._update_commands)

    @Slot()
    def _documents_opened(self) -> None:
        self.rehearsals.stop()
        self.rehearsals.clear()

    # -- what is rehearsed ---------------------------------------------------
    def input(self) -> RehearsalInput:
        """Return the injection rules as they are edited now, and what they can inject."""
        session = self._session
        rules = session.documents.rules_of(INJECTION)
        return RehearsalInput(rules, session.documents.known, session.semantics, session.folder)

    def _target(self) -> Rule | None:
        """Return the rule to fire by force: the selected one, or that of the chosen cell."""
        rule, cell = self._session.rule, self.lane.current
        if (rule is None or rule.kind != INJECTION) and cell is not None:
            rule = self._session.documents.rule(INJECTION, cell.rule_id)
        return rule if rule is not None and rule.kind == INJECTION else None

    # -- commands ------------------------------------------------------------
    @Slot()
    def toggle(self) -> None:
        """Start or stop; without a phone, show what is missing."""
        self._bottom.turn_to(REHEARSAL)
        if self.rehearsals.is_running:
            self.rehearsals.stop()
        elif self.rehearsals.phone is not None and self.input().rules:
            self._live.show()
            self._screen.view.set_mode(MirrorMode.INTERACT)
            self.rehearsals.start()

    def toggle_mode(self) -> None:
        """Inject what fires, or only show it."""
        self.rehearsals.arrange(live=not self.rehearsals.setup.live)

    def toggle_scope(self) -> None:
        """Rehearse the selected rule alone, or all rules."""
        self._rehearse_selected(not self.rehearsals.setup.rule_id)

    @Slot()
    def draw_seed(self) -> None:
        self.rehearsals.arrange(seed=secrets.randbelow(_SEEDS))

    @Slot()
    def fire_now(self) -> None:
        """Inject what the selected rule injects, whatever the screen shows."""
        target = self._target()
        if target is not None:
            self._bottom.turn_to(REHEARSAL)
            self.rehearsals.force(target.id)

    @Slot(str)
    def _choose_mode(self, mode: str) -> None:
        self.rehearsals.arrange(live=mode == LIVE)

    @Slot(str)
    def _choose_scope(self, scope: str) -> None:
        self._rehearse_selected(scope == ONE)

    @Slot(int)
    def _choose_seed(self, seed: int) -> None:
        self.rehearsals.arrange(seed=seed)

    @Slot(int)
    def _choose_most(self, most: int) -> None:
        self.rehearsals.arrange(most=most)

    def _rehearse_selected(self, only: bool) -> None:
        target = self._target() if only else None
        self.rehearsals.arrange(rule_id=target.id if target is not None else "")
        self.update()  # without a target the switch goes back

    @Slot()
    def _undo(self) -> None:
        """Undo the injection of the chosen cell; the newest when that one is over."""
        result = self.lane.result(self.lane.current)
        injection = result.injected.id if result is not None and result.injected is not None else ""
        self.rehearsals.undo(injection if self.rehearsals.is_active(injection) else "")

    # -- what is shown -------------------------------------------------------
    @Slot()
    def update(self) -> None:
        """Show how the rehearsal runs, and what can be done."""
        self.panel.show_setup(self.rehearsals.setup, running=self.rehearsals.is_running)
        self._show_empty_state()
        self._update_commands()

    @Slot()
    def _update_commands(self) -> None:
        panel, rehearsals, target = self.panel, self.rehearsals, self._target()
        ready = rehearsals.can_fire and target is not None
        panel.start.setEnabled(rehearsals.phone is not None and bool(self.input().rules))
        panel.fire.setEnabled(ready)
        tip = _("Inject what {rule} injects, whatever the screen shows", rule=target.id) if target else ""
        panel.fire.setToolTip(tip)
        panel.undo.setEnabled(bool(self._services.anomalies.active))
        self._services.commander.set_context(
            rehearsal__ready=ready, rehearsal__has_states=bool(rehearsals.moments)
        )

    def _show_empty_state(self) -> None:
        """Say what is missing for a rehearsal, and offer the commands that bring it."""
        empty = self.panel.empty
        if self.rehearsals.phone is None:
            empty.show_text(
                _("No phone in use"), _("Rules are rehearsed on what a phone shows"),
                ("device.start-virtual", _("Start a virtual phone"), "phone"),
                ("device.connect", _("Connect a phone..."), ""),
            )  # fmt: skip
        elif not self.input().rules:
            empty.show_text(
                _("No injection rule to rehearse"), _("Make one, and try it on the phone"),
                ("rules.new", _("New rule..."), "plus"),
            )  # fmt: skip
        elif self.rehearsals.is_running:
            empty.show_text(_("Waiting for the screen to come to rest"), _("Each new screen becomes a state"))
        else:
            sentence = _("Start, and use the phone: each screen becomes a state")
            empty.show_text(_("Nothing rehearsed yet"), sentence, ("rules.rehearse", _("Start"), "play"))
