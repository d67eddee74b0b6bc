"""The cycle of an episode as a state machine: observe, decide, inject, act, settle, follow up, validate."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from collector.agents.agent import PastStep
from collector.anomalies.errors import DialogInFront
from collector.device.errors import DumpFailed
from collector.hierarchy.errors import HierarchyError
from collector.model.action import COMPLETION_SIGNALS, HALLUCINATED, Action, Invalid
from collector.model.episode import AgentTurn
from collector.model.usage import Usage
from collector.recorder.observer import Observer
from collector.recorder.screen_moment import ScreenMoment
from collector.replay.action_executor import ActionNeedsSetup, ActionRefused
from collector.rules.evaluation.state_view import StateView, main_package
from collector.rules.evaluation.trajectory_run import Decision
from collector.rules.grammar.model import DGARA
from collector.run.cycle.episode_agent import EpisodeAgent
from collector.run.cycle.episode_anomalies import EpisodeAnomalies
from collector.run.cycle.episode_hands import EpisodeHands
from collector.run.cycle.episode_plan import EpisodePlan
from collector.run.cycle.episode_record import PERSON, EpisodeRecord
from collector.run.cycle.episode_rules import EpisodeRules, Validation, decisions_as_line, fired_in
from collector.run.cycle.hold import Hold
from collector.run.cycle.operations import RepeatCount
from collector.run.cycle.phases import Phase
from collector.run.experiment.model import ON_SUCCESS

_DUMP_TRIES = 3
_DUMP_PAUSE_S = 0.5


class EndedBy:
    """Why a cycle ended; the words of the line of its end."""

    SIGNAL = "signal"
    """The agent said that the task is done, or cannot be."""
    SUCCESS = "success"
    """The rules of the task hold, and nothing else was waited for."""
    REPEATS = "repeats"
    """The agent did the same again and again."""
    BUDGET = "budget"


@dataclass(slots=True)
class CycleState:
    """What a cycle knows while it runs."""

    screen: ScreenMoment | None = None
    view: StateView | None = None
    """The screen as rules see it; its step is the number of the step that comes next."""
    observe_ms: int = 0
    turn: AgentTurn | None = None
    action: Action | None = None
    """The action of ``turn`` as it can be executed."""
    think_ms: int = 0
    person: str = ""
    """Who acts in the agent's place in this step."""
    history: list[PastStep] = field(default_factory=list)
    agent_steps: int = 0
    person_steps: int = 0
    invalid: int = 0
    usage: Usage = field(default_factory=Usage)
    validation: Validation = field(default_factory=Validation)
    decision: Decision | None = None
    decided: int = 0
    """Number of the step for which the rules decided last."""
    signal: Action | None = None
    ended_by: str = ""


class EpisodeCycle:
    """Runs one episode from its first observation to its end, on the caller's thread.

    Raises UserError for any fault: of the phone, the disk, an anomaly, the agent; what was recorded is whole.
    """

    def __init__(
        self, plan: EpisodePlan, observer: Observer, hands: EpisodeHands, agent: EpisodeAgent,
        rules: EpisodeRules, anomalies: EpisodeAnomalies, record: EpisodeRecord, hold: Hold,
    ) -> None:  # fmt: skip
        self.state = CycleState()
        self._plan, self._observer, self._hands, self._agent = plan, observer, hands, agent
        self._rules, self._anomalies, self._record, self._hold = rules, anomalies, record, hold
        self._repeats = RepeatCount()
        self._phases: Mapping[Phase, Callable[[], Phase]] = {
            Phase.OBSERVE: self._observe, Phase.DECIDE: self._decide, Phase.INJECT: self._inject,
            Phase.OBSERVE_AGAIN: self._observe_again, Phase.THINK: self._think, Phase.HOLD: self._held,
            Phase.ACT: self._act, Phase.SETTLE: self._settle, Phase.FOLLOW_UP: self._follow_up,
            Phase.VALIDATE: self._validate,
        }  # fmt: skip

    def run(self) -> CycleState:
        """Run the phases until the end."""
        self._record.number = 1
        phase = Phase.OBSERVE
        while phase is not Phase.END:
            self._record.enter(phase)
            phase = self._phases[phase]()
        return self.state

    # -- the screen ----------------------------------------------------------
    def _observe(self) -> Phase:
        self._look()
        self._line(Phase.OBSERVE, {"ms": self.state.observe_ms})
        return Phase.VALIDATE

    def _observe_again(self) -> Phase:
        """The agent sees the anomaly; the rules of the task see it as another look at the same step."""
        self._look()
        assert self.state.view is not None
        self._rules.see(self.state.view)
        self._line(Phase.OBSERVE_AGAIN, {"ms": self.state.observe_ms})
        return Phase.THINK

    def _look(self) -> None:
        """Read the screen at rest, and show it to those who watch."""
        state, began = self.state, time.monotonic()
        screen = self._screen()
        state.observe_ms = _ms_since(began)
        last = state.view
        if last is not None and last.step == self._record.number:
            last = last.previous  # the same state, looked at again
        elif last is not None:
            last.previous = None  # a rule looks back one state, and an episode may be long
        past = state.history[-1].action if state.history else None
        state.screen = screen
        state.view = view_of(screen, self._record.number, past, last)
        self._record.observed(
            screen, self._anomalies.bounds_in(screen.tree), with_picture=self._hold.shows_screens
        )

    def _screen(self) -> ScreenMoment:
        for number in range(_DUMP_TRIES):
            try:
                return self._observer.look()
            except (DumpFailed, HierarchyError):
                if number + 1 == _DUMP_TRIES:
                    raise
                self._observer.pause(_DUMP_PAUSE_S)
        raise AssertionError

    # -- anomalies -----------------------------------------------------------
    def _decide(self) -> Phase:
        assert self.state.view is not None
        dialog = self._anomalies.is_open
        decisions = self._rules.decide(self.state.view, dialog_open=dialog)
        self._line(Phase.DECIDE, {"dialog": dialog, **decisions_as_line(decisions)})
        self.state.decision, self.state.decided = fired_in(decisions), self._record.number
        return Phase.THINK if self.state.decision is None else Phase.INJECT

    def _inject(self) -> Phase:
        state, decision = self.state, self.state.decision
        assert decision is not None
        assert decision.injection is not None
        assert state.screen is not None
        data = {"rule": decision.rule.id, "anomaly": decision.injection.interference_id}
        try:
            injected = self._anomalies.inject(decision.injection)
        except DialogInFront as error:  # as a dialog of the phone that came up by itself
            self._rules.take_back(decision)
            self._line(Phase.INJECT, {**data, "refused": str(error)})
            return Phase.THINK
        data |= {"injection": injected.id, "injected": injected.anomaly.id}
        self._line(Phase.INJECT, data, state.screen)
        return Phase.OBSERVE_AGAIN

    # -- the agent -----------------------------------------------------------
    def _think(self) -> Phase:
        state, began = self.state, time.monotonic()
        assert state.screen is not None
        turn = self._agent.think(self._record.number, state.screen, state.history, self._hold.is_taken_over)
        state.think_ms = _ms_since(began)
        state.turn = state.action = None
        if turn is not None:
            state.turn = turn
            state.usage = added(state.usage, turn.usage)
            state.action = self._hands.executable(turn, state.screen)
            self._record.predicted(state.screen, turn, state.action, self._hold.hold_ms)
        self._line(Phase.THINK, {"ms": state.think_ms})
        return Phase.HOLD

    def _held(self) -> Phase:
        """Wait for people; a person's action comes in the place of the agent's, whose answer is dropped."""
        state = self.state
        state.person = ""
        taken = self._hold.wait(has_answer=state.turn is not None)
        if taken is not None:
            state.person, state.turn = taken.person, None
            if taken.action is None:  # given back: the agent is asked about the screen as it is now
                return Phase.THINK if state.decided == self._record.number else Phase.DECIDE
            assert state.screen is not None
            state.action = self._hands.executable(AgentTurn(predicted=taken.action), state.screen)
        return Phase.ACT

    def _act(self) -> Phase:
        state, screen, action = self.state, self.state.screen, self.state.action
        assert screen is not None
        assert action is not None
        acted_ns = time.monotonic_ns()
        if not isinstance(action, (Invalid, *COMPLETION_SIGNALS)):
            try:
                action = self._hands.do(action, state.turn, screen)
            except ActionNeedsSetup:
                raise
            except ActionRefused as error:
                raw = state.turn.raw if state.turn is not None else ""
                action = Invalid(raw, HALLUCINATED, str(error))
        act_ms = (time.monotonic_ns() - acted_ns) // 1_000_000
        timings = {"observe": state.observe_ms, "think": state.think_ms, "act": act_ms}
        turn = state.turn
        if turn is not None:
            turn = replace(turn, timings_ms={**turn.timings_ms, **timings})
        self._record.step(screen, action, turn, acted_ns, {PERSON: state.person} if state.person else None)
        state.history.append(PastStep(action, turn))
        state.turn = None
        self._count(action)
        self._line(Phase.ACT, {"ms": act_ms, "same": self._repeats.count, "action": action.kind})
        self._record.done(self._record.number, timings, state.person)
        self._record.number += 1
        if state.signal is not None:
            return Phase.VALIDATE
        return Phase.FOLLOW_UP if self._plan.semantics == DGARA else Phase.SETTLE

    def _count(self, action: Action) -> None:
        state = self.state
        if state.person:
            state.person_steps += 1
            self._repeats.forget()
            return
        state.agent_steps += 1
        state.invalid += isinstance(action, Invalid)
        self._repeats.note(action)
        if isinstance(action, COMPLETION_SIGNALS):
            state.signal = action

    # -- after the action ----------------------------------------------------
    def _settle(self) -> Phase:
        self._look()
        self._line(Phase.SETTLE, {"ms": self.state.observe_ms})
        if self._plan.semantics == DGARA or not self._anomalies.is_open:
            return Phase.VALIDATE
        return Phase.FOLLOW_UP

    def _follow_up(self) -> Phase:
        """See whether the dialog was answered. Follow-ups change the screen: then it is read once more."""
        is_dgara = self._plan.semantics == DGARA
        if is_dgara:
            self._anomalies.watch_one_action()
        changed = False if is_dgara else self._anomalies.look(self.state.screen)
        self._line(Phase.FOLLOW_UP, {"dialog": self._anomalies.is_open, "changed": changed})
        return Phase.SETTLE if is_dgara or changed else Phase.VALIDATE

    def _validate(self) -> Phase:
        state = self.state
        assert state.view is not None
        if state.signal is not None:
            state.view = self._view_after_signal(state.view, state.signal)
        state.validation = self._rules.see(state.view, claimed=state.signal is not None)
        self._record.reached(state.validation.reached, tuple(rule.id for rule in self._rules.course.states))
        state.ended_by = self._end()
        line = {**state.validation.as_line(), "steps": state.agent_steps}
        self._line(Phase.VALIDATE, {**line, "end": state.ended_by} if state.ended_by else line)
        if state.ended_by:
            return Phase.END
        return Phase.HOLD if self._hold.is_taken_over() else Phase.DECIDE

    @staticmethod
    def _view_after_signal(view: StateView, signal: Action) -> StateView:
        """The moment after a signal, which leaves the screen as it was."""
        return StateView(
            view.tree, view.xml, view.package, view.activity, view.step + 1, signal, None, view,
            picture=view.picture,
        )  # fmt: skip

    def _end(self) -> str:
        state, plan = self.state, self._plan
        if state.signal is not None:
            return EndedBy.SIGNAL
        acted = state.agent_steps + state.person_steps > 0
        if acted and plan.ends == ON_SUCCESS and self._rules.ends_by_success(state.validation):
            return EndedBy.SUCCESS
        if plan.early_stop and self._repeats.count >= plan.early_stop:
            return EndedBy.REPEATS
        return EndedBy.BUDGET if state.agent_steps >= plan.budget else ""

    def _line(self, phase: Phase, data: Mapping[str, Any], screen: ScreenMoment | None = None) -> None:
        self._record.line(phase, data, screen)


def view_of(screen: ScreenMoment, step: int, action: Action | None, last: StateView | None) -> StateView:
    """A screen as rules see it, the same as when it is read from the disk again."""
    frame = screen.frame
    package = screen.package or main_package(node.package for node in screen.tree or ())
    return StateView(
        screen.tree, screen.xml, package, screen.activity, step, action, None, last,
        picture=(lambda: None) if frame is None else frame.rgb,
    )  # fmt: skip


def added(first: Usage, second: Usage) -> Usage:
    """The sum of two usages; of costs in two currencies the first's alone."""
    try:
        return first + second
    except ValueError:
        return first + replace(second, cost=None, currency="")


def _ms_since(began: float) -> int:
    return round((time.monotonic() - began) * 1000)
