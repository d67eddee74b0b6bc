"""Wires the rehearsal to its panel, the screen, the rule on show and the commands."""

from __future__ import annotations

import secrets
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Slot

from collector.anomalies.rehearsal_run import RehearsalInput, RehearsedState
from collector.model.i18n import _
from collector.rules.evaluation.proof import Proof
from collector.rules.evaluation.state_view import StateView
from collector.rules.grammar.model import INJECTION, Rule
from studio.bridge.rehearsal import Rehearsals
from studio.bridge.rehearsal_pictures import image_of
from studio.views.rules.bottom_panel import REHEARSAL
from studio.views.rules.rehearsal.cell_explanation import tell
from studio.views.rules.rehearsal.lane_rows import LaneCell
from studio.views.rules.rehearsal.panel import LIVE, ONE, RehearsalPanel
from studio.widgets.device_view.screen_frame import ScreenFrame
from studio.widgets.device_view.view import MirrorMode

if TYPE_CHECKING:
    from studio.views.rules.workspace import RulesWorkspace

_SEEDS = 100_000
"""New seeds are short enough to be told to somebody."""


class RehearsalController(QObject):
    """``shown`` is the kept state the screen shows."""

    def __init__(self, home: RulesWorkspace) -> None:
        super().__init__(home)
        self._home = home
        shell = home.shell
        self.rehearsals = Rehearsals(shell.tasks, shell.devices, shell.anomalies, self.matter, self)
        self.panel = RehearsalPanel(home.below.make_switch())
        self._shown: RehearsedState | None = None
        self._handle()
        self._connect()
        self.renew()

    def _handle(self) -> None:
        handle = self._home.shell.commander.handle
        handle("rules.rehearse", self.toggle)
        handle("rules.rehearse-dry-run", self.switch_mode)
        handle("rules.rehearse-scope", self.switch_scope)
        handle("rules.rehearse-fire-now", self.force)
        handle("rules.rehearse-seed", self.new_seed)
        handle("rules.rehearse-clear", self.rehearsals.clear)

    def _connect(self) -> None:
        panel, rehearsals, commander = self.panel, self.rehearsals, self._home.shell.commander
        rehearsals.judged.connect(self._judged)
        rehearsals.changed.connect(self.renew)
        rehearsals.setup_changed.connect(self.renew)
        rehearsals.running_changed.connect(self.renew)
        rehearsals.phone_changed.connect(self.renew)
        rehearsals.failed.connect(self._home.shell.toasts.show_error)
        panel.nothing.wanted.connect(lambda command: commander.run(command))
        panel.start.clicked.connect(self.toggle)
        panel.mode.chosen.connect(self._mode_chosen)
        panel.scope.chosen.connect(self._scope_chosen)
        panel.seed_chosen.connect(lambda seed: rehearsals.arrange(seed=seed))
        panel.most_chosen.connect(lambda most: rehearsals.arrange(most=most))
        panel.dice.clicked.connect(self.new_seed)
        panel.fire.clicked.connect(self.force)
        panel.undo.clicked.connect(self._undo)
        panel.clear.clicked.connect(rehearsals.clear)
        panel.lane.cell_chosen.connect(self._tell)
        panel.lane.cell_opened.connect(self.open)
        panel.story.go.connect(self._go)

    # -- what is known -------------------------------------------------------
    def matter(self) -> RehearsalInput:
        """The injection rules as they are edited, and what they can inject."""
        home = self._home
        document = home.book.documents.get(INJECTION)
        project = home.shell.library.project
        return RehearsalInput(
            document.rules if document is not None else (), home.book.known, home.deeds.semantics,
            project.folder if project is not None else None,
        )  # fmt: skip

    @property
    def shown(self) -> RehearsedState | None:
        """The kept state on the screen; None while that shows something else."""
        one = self._shown
        return one if one is not None and self._home.stage.state is one.view else None

    def proof_of(self, rule: Rule, state: StateView) -> Proof | None:
        """What was found out about ``rule`` as the kept state was judged; None if it is another rule now."""
        shown = self.shown
        cell = shown.cells.get(rule.id) if shown is not None and shown.view is state else None
        return cell.proof if cell is not None and cell.rule == rule else None

    def context(self) -> dict[str, bool]:
        """What the commands ask for."""
        return {"rehearsal__ready": self.rehearsals.can_fire and self._target() is not None,
                "rehearsal__kept": bool(self.rehearsals.moments)}  # fmt: skip

    def _target(self) -> Rule | None:
        """The rule that is fired by force: the one on show, else that of the chosen cell."""
        rule, spot = self._home.rule, self.panel.lane.current
        if (rule is None or rule.kind != INJECTION) and spot is not None:
            rule = self._home.book.rule(INJECTION, spot.rule_id)
        return rule if rule is not None and rule.kind == INJECTION else None

    # -- what is asked -------------------------------------------------------
    @Slot()
    def toggle(self) -> None:
        """Begin or end; without a phone say what is missing."""
        self._home.below.turn_to(REHEARSAL)
        self._home.below.show()
        if self.rehearsals.is_running:
            self.rehearsals.stop()
        elif self.rehearsals.phone is not None and self.matter().rules:
            self._home.live.show()
            self._home.stage.view.set_mode(MirrorMode.INTERACT)
            self.rehearsals.start()

    def switch_mode(self) -> None:
        self.rehearsals.arrange(live=not self.rehearsals.setup.live)

    def switch_scope(self) -> None:
        self._rehearse_one(not self.rehearsals.setup.rule_id)

    @Slot()
    def new_seed(self) -> None:
        self.rehearsals.arrange(seed=secrets.randbelow(_SEEDS))

    @Slot()
    def force(self) -> None:
        """Inject what the rule on show injects, now."""
        target = self._target()
        if target is not None:
            self._home.below.turn_to(REHEARSAL)
            self.rehearsals.force(target.id)

    @Slot(str)
    def _mode_chosen(self, mode: str) -> None:
        self.rehearsals.arrange(live=mode == LIVE)

    @Slot(str)
    def _scope_chosen(self, scope: str) -> None:
        self._rehearse_one(scope == ONE)

    def _rehearse_one(self, one: bool) -> None:
        target = self._target() if one else None
        self.rehearsals.arrange(rule_id=target.id if target is not None else "")
        self.renew()  # without a rule on show the switch goes back

    @Slot()
    def _undo(self) -> None:
        self.rehearsals.undo(self._injection())

    def _injection(self) -> str:
        """The injection of the chosen cell that is on the phone; empty when it is none."""
        spot = self.panel.lane.current
        moment = self.rehearsals.moment(spot.number) if spot is not None else None
        cell = moment.cells.get(spot.rule_id) if moment is not None and spot is not None else None
        injected = cell.injected.id if cell is not None and cell.injected is not None else ""
        return injected if self.rehearsals.is_active(injected) else ""

    # -- what is shown -------------------------------------------------------
    @Slot(object)
    def _judged(self, moment: RehearsedState) -> None:
        """The newest state is followed, unless somebody looks at an earlier one."""
        lane, moments = self.panel.lane, self.rehearsals.moments
        before = lane.current
        follows = before is None or len(moments) < 2 or before.number == moments[-2].number
        self.renew()
        if follows:
            lane.set_current(self.panel.rows.telling(moment, before))
            self._tell(lane.current)

    @Slot()
    def renew(self) -> None:
        """Something of it is otherwise."""
        panel, rehearsals = self.panel, self.rehearsals
        setup, matter = rehearsals.setup, self.matter()
        wanted = [one.id for one in sorted(matter.rules, key=lambda rule: rule.priority)
                  if setup.rule_id in ("", one.id)]  # fmt: skip
        panel.rows.show(rehearsals.moments, wanted)
        panel.show_setup(setup, running=rehearsals.is_running)
        panel.show_lane(anything=bool(rehearsals.moments))
        self._say_what_is_missing(matter)
        panel.lane.refresh()
        self._tell(panel.lane.current)
        self.renew_commands()

    def renew_commands(self) -> None:
        """What can be done now."""
        panel, target = self.panel, self._target()
        context = self.context()
        panel.start.setEnabled(self.rehearsals.phone is not None and bool(self.matter().rules))
        panel.fire.setEnabled(context["rehearsal__ready"])
        words = _("Inject what {rule} injects, whatever the screen shows", rule=target.id) if target else ""
        panel.fire.setToolTip(words)
        panel.undo.setEnabled(bool(self._home.shell.anomalies.active))
        self._home.shell.commander.set_context(**context)

    def _say_what_is_missing(self, matter: RehearsalInput) -> None:
        nothing = self.panel.nothing
        if self.rehearsals.phone is None:
            nothing.say(
                _("No phone in use"), _("Rules are rehearsed on what a phone shows"),
                ("device.start-virtual", _("Start a virtual phone"), "phone"),
                ("device.connect", _("Connect a phone..."), ""),
            )  # fmt: skip
        elif not matter.rules:
            nothing.say(_("No injection rule to rehearse"), _("Make one, and try it on the phone"),
                        ("rules.new", _("New rule..."), "plus"))  # fmt: skip
        elif self.rehearsals.is_running:
            nothing.say(_("Waiting for the screen to come to rest"), _("Each new screen becomes a state"))
        else:
            sentence = _("Start, and use the phone: each screen becomes a state")
            nothing.say(
                _("RehearsalEmptyState rehearsed yet"), sentence, ("rules.rehearse", _("Start"), "play")
            )

    @Slot(object)
    def _tell(self, spot: LaneCell | None) -> None:
        moment = self.rehearsals.moment(spot.number) if spot is not None else None
        cell = moment.cells.get(spot.rule_id) if moment is not None and spot is not None else None
        if spot is None or moment is None or cell is None:
            self.panel.story.clear()
            return
        events = self.rehearsals.events.get(cell.injected.id, ()) if cell.injected is not None else ()
        waiting = self.rehearsals.is_waiting(spot.number, spot.rule_id)
        tell(self.panel.story, moment, cell, events, waiting=waiting)

    @Slot(object)
    def open(self, spot: LaneCell) -> None:
        """Show a kept state on the screen, and the rule of the cell beside it."""
        moment = self.rehearsals.moment(spot.number)
        if moment is None:
            return
        self._show(moment)
        home = self._home
        if home.book.rule(INJECTION, spot.rule_id) is not None and (home.kind, home.rule_id) != (
            INJECTION, spot.rule_id,
        ):  # fmt: skip
            home.show_rule(INJECTION, spot.rule_id)
        else:
            home.verdicts.judge()

    @Slot(int)
    def _go(self, number: int) -> None:
        spot = self.panel.lane.current
        if spot is not None and spot.number == number:
            self.open(spot)

    def step(self, by: int) -> None:
        """To the kept state before or behind the one on the screen."""
        shown, spot = self.shown, self.panel.lane.current
        moment = self.rehearsals.moment(shown.number + by) if shown is not None else None
        if moment is not None:
            rule_id = spot.rule_id if spot is not None else next(iter(moment.cells), "")
            self.panel.lane.set_current(LaneCell(rule_id, moment.number))
            self._tell(self.panel.lane.current)
            self.open(LaneCell(rule_id, moment.number))

    def _show(self, moment: RehearsedState) -> None:
        self._shown = moment
        image = image_of(moment)
        frame = ScreenFrame(image, moment.size) if not image.isNull() else None
        moments = self.rehearsals.moments
        self._home.stage.show_kept(
            _("Rehearsal"), _("state {number}", number=moment.number), moment.view, frame,
            before=moment.number > moments[0].number, after=moment.number < moments[-1].number,
        )  # fmt: skip
