"""The cycle of an episode as a state machine: observe, decide, inject, act, settle, follow up, validate."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from collector.agents.agent import PastStep
from collector.anomalies.errors import ChangeNotApplied, DialogInFront, Unsuitable
from collector.asking.episode_user import EpisodeUser
from collector.judge.evaluation.trajectory_end import view_after
from collector.model.action import (
    COMPLETION_SIGNALS,
    HALLUCINATED,
    NOT_ON_PHONE,
    Action,
    AskUser,
    Invalid,
    Type,
    Wait,
)
from collector.model.episode import ACTING_PERSON, AgentTurn
from collector.model.repeated_actions import RepeatCount
from collector.model.usage import Usage
from collector.model.user_reply import REPLY, UserReply
from collector.recorder.passwords.text_destination import TextDestination, moved_to_password
from collector.recorder.screen_moment import ScreenMoment
from collector.replay.action_executor import ActionNeedsSetup, ActionRefused
from collector.rules.evaluation.state_view import StateView, main_package
from collector.rules.evaluation.trajectory_run import Decision
from collector.rules.grammar.model import DGARA
from collector.run.cycle.action_runner import ActionRunner
from collector.run.cycle.ending import ended_by
from collector.run.cycle.episode_agent import EpisodeAgent
from collector.run.cycle.episode_anomalies import EpisodeAnomalies
from collector.run.cycle.episode_plan import EpisodePlan
from collector.run.cycle.episode_record import EpisodeRecord
from collector.run.cycle.episode_rules import EpisodeRules, Validation, decisions_as_line, fired_in
from collector.run.cycle.episode_screens import EpisodeScreens
from collector.run.cycle.phases import CyclePhase
from collector.run.cycle.steering.hold import Hold


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
    done: Action | None = None
    """The last action as it is recorded: of a hidden text without it."""
    typed: str = ""
    """The text that the last action typed into a field that seemed plain."""
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
    is_unanswered: bool = False
    """Whether the last action was a question that nobody answered."""
    ended_by: str = ""


class EpisodeCycle:
    """Runs one episode from its first observation to its end, on the caller's thread.

    Raises UserError for any fault: of the phone, the disk, an anomaly, the agent; what was recorded is whole.
    """

    def __init__(
        self, plan: EpisodePlan, screens: EpisodeScreens, runner: ActionRunner, agent: EpisodeAgent,
        rules: EpisodeRules, anomalies: EpisodeAnomalies, record: EpisodeRecord, hold: Hold,
        user: EpisodeUser,
    ) -> None:  # fmt: skip
        self.state = CycleState()
        self._plan, self._screens, self._runner, self._agent = plan, screens, runner, agent
        self._rules, self._anomalies, self._record, self._hold = rules, anomalies, record, hold
        self._user = user
        self._repeats = RepeatCount()
        self._phases: Mapping[CyclePhase, Callable[[], CyclePhase]] = {
            CyclePhase.OBSERVE: self._observe, CyclePhase.DECIDE: self._decide,
            CyclePhase.INJECT: self._inject, CyclePhase.OBSERVE_AGAIN: self._observe_again,
            CyclePhase.THINK: self._think, CyclePhase.HOLD: self._held, CyclePhase.ACT: self._act,
            CyclePhase.SETTLE: self._settle, CyclePhase.FOLLOW_UP: self._follow_up,
            CyclePhase.VALIDATE: self._validate,
        }  # fmt: skip

    def begin_after(self, views: Sequence[StateView], history: Sequence[PastStep]) -> None:
        """Begin later than the task: ``views`` were before, and ``history`` led through them."""
        for view in views:
            self.state.validation = self._rules.see(view)
        self.state.history = list(history)
        if views:
            self.state.view = views[-1]
            self.state.done = history[-1].action if history else None

    def run(self) -> CycleState:
        """Run the phases until the end."""
        self._record.number = self._record.steps + 1
        phase = CyclePhase.OBSERVE
        while phase is not CyclePhase.END:
            self._record.enter(phase)
            phase = self._phases[phase]()
        return self.state

    # -- the screen ----------------------------------------------------------
    def _observe(self) -> CyclePhase:
        self._look()
        self._line(CyclePhase.OBSERVE, {"ms": self.state.observe_ms})
        return CyclePhase.VALIDATE

    def _observe_again(self) -> CyclePhase:
        """The agent sees the anomaly on the screen of the step; for the rules the one before it is gone."""
        self._look()
        assert self.state.view is not None
        self.state.validation = self._rules.see_instead(self.state.view)
        self._line(CyclePhase.OBSERVE_AGAIN, {"ms": self.state.observe_ms})
        return CyclePhase.THINK

    def _look(self, acted_on: ScreenMoment | None = None) -> None:
        """Read the screen at rest, and show it to those who watch."""
        state, began = self.state, time.monotonic()
        screen = self._screens.look(acted_on)
        state.observe_ms = _ms_since(began)
        before, state.screen = state.screen, screen
        self._hide_late(before, screen)
        last, state.view = state.view, view_of(screen, self._record.number, state.done)
        state.view.follow(last)
        self._record.observed(
            screen, self._anomalies.bounds_in(screen.tree), with_picture=self._hold.shows_screens
        )

    def _hide_late(self, before: ScreenMoment | None, after: ScreenMoment) -> None:
        """Hide the last text when a password field has the focus now, and no plain field shows the text."""
        text, self.state.typed = self.state.typed, ""
        if text and before is not None and moved_to_password(text, after, before.tree):
            self._runner.hide(text, TextDestination.UNKNOWN)

    # -- anomalies -----------------------------------------------------------
    def _decide(self) -> CyclePhase:
        assert self.state.view is not None
        dialog = self._anomalies.is_open
        decisions = self._rules.decide(self.state.view, dialog_open=dialog)
        self._line(CyclePhase.DECIDE, {"dialog": dialog, **decisions_as_line(decisions)})
        self.state.decision, self.state.decided = fired_in(decisions), self._record.number
        return CyclePhase.THINK if self.state.decision is None else CyclePhase.INJECT

    def _inject(self) -> CyclePhase:
        state, decision = self.state, self.state.decision
        assert decision is not None
        assert decision.injection is not None
        assert state.screen is not None
        data = {"rule": decision.rule.id, "anomaly": decision.injection.interference_id}
        try:
            injected = self._anomalies.inject(decision.injection)
        except (DialogInFront, ChangeNotApplied, Unsuitable) as error:
            # A dialog of the phone came up by itself, or the app that is to crash does not run: the rule
            # tries again at the next step. Of an episode that never meets its anomaly the record says so.
            self._rules.take_back(decision)
            self._line(CyclePhase.INJECT, {**data, "refused": str(error)})
            return CyclePhase.THINK
        data |= {"injection": injected.id, "injected": injected.anomaly.id}
        self._line(CyclePhase.INJECT, data, state.screen)
        return CyclePhase.OBSERVE_AGAIN

    # -- the agent -----------------------------------------------------------
    def _think(self) -> CyclePhase:
        state, began = self.state, time.monotonic()
        self._say_reached()
        assert state.screen is not None
        turn = self._agent.think(self._record.number, state.screen, state.history, self._hold.is_taken_over)
        state.think_ms = _ms_since(began)
        state.turn = state.action = None
        if turn is not None:
            state.turn = turn
            state.usage = added(state.usage, turn.usage)
            state.action = self._runner.executable(turn, state.screen)
            self._record.predicted(state.screen, turn, state.action, self._hold.hold_ms)
            self._record.agent_log(self._agent.taken_log())
        self._line(CyclePhase.THINK, {"ms": state.think_ms})
        return CyclePhase.HOLD

    def _held(self) -> CyclePhase:
        """Wait for people; a person's action comes in the place of the agent's, whose answer is dropped."""
        state = self.state
        self._say_reached()
        state.person = ""
        taken = self._hold.wait(has_answer=state.turn is not None)
        if taken is not None:
            state.person, state.turn = taken.person, None
            if taken.action is None:  # given back: the agent is asked about the screen as it is now
                return CyclePhase.THINK if state.decided == self._record.number else CyclePhase.DECIDE
            assert state.screen is not None
            state.action = self._runner.executable(AgentTurn(predicted=taken.action), state.screen)
        return CyclePhase.ACT

    def _act(self) -> CyclePhase:
        state, screen, action = self.state, self.state.screen, self.state.action
        assert screen is not None
        assert action is not None
        acted_ns, hides_text = time.monotonic_ns(), False
        if not isinstance(action, NOT_ON_PHONE):
            action, hides_text = self._do(action, screen)
        act_ms = (time.monotonic_ns() - acted_ns) // 1_000_000
        reply = self._reply(action)
        timings = {"observe": state.observe_ms, "think": state.think_ms, "act": act_ms}
        turn = state.turn
        if turn is not None:
            turn = replace(turn, timings_ms={**turn.timings_ms, **timings})
        extra: dict[str, Any] = {ACTING_PERSON: state.person} if state.person else {}
        if reply is not None:
            extra[REPLY] = reply.as_dict()
        self._record.step(screen, action, turn, acted_ns, extra, hides_text=hides_text)
        hidden = hides_text and not isinstance(action, Invalid)
        state.done = Type(redacted=True) if hidden else action
        state.typed = action.text if isinstance(action, Type) and not hides_text else ""
        # An agent knows what it typed itself; what a person typed in its place is not for it.
        state.history.append(PastStep(action if turn is not None else state.done, turn, reply))
        state.turn = None
        self._count(state.done)
        self._line(CyclePhase.ACT, {"ms": act_ms, "same": self._repeats.count, "action": state.done.kind})
        self._record.done(self._record.number, timings, state.person)
        self._record.number += 1
        if state.signal is not None:
            return CyclePhase.VALIDATE
        return CyclePhase.FOLLOW_UP if self._plan.semantics == DGARA else CyclePhase.SETTLE

    def _do(self, action: Action, screen: ScreenMoment) -> tuple[Action, bool]:
        """Execute an action: as what it is recorded, and whether the text that it typed is hidden."""
        turn = self.state.turn
        try:
            action = self._runner.do(action, turn, screen)
        except ActionNeedsSetup:
            raise
        except ActionRefused as error:
            action = Invalid(turn.raw if turn is not None else "", HALLUCINATED, str(error))
        return action, self._runner.hides_text

    def _reply(self, action: Action) -> UserReply | None:
        """What the user answers to a question of the agent; None for another action."""
        self.state.is_unanswered = False
        if not isinstance(action, AskUser) or self.state.person:
            return None
        reply = self._user.reply(action.question)
        self.state.is_unanswered = not reply.text
        return reply

    def _count(self, action: Action) -> None:
        state = self.state
        state.signal = action if isinstance(action, COMPLETION_SIGNALS) else None
        if state.person:
            state.person_steps += 1
            self._repeats.forget()
            return
        state.agent_steps += 1
        state.invalid += isinstance(action, Invalid)
        self._repeats.note(action)

    # -- after the action ----------------------------------------------------
    def _settle(self) -> CyclePhase:
        has_effect = not isinstance(self.state.done, (Wait, *NOT_ON_PHONE))
        self._look(self.state.screen if has_effect else None)
        self._line(CyclePhase.SETTLE, {"ms": self.state.observe_ms})
        if self._plan.semantics == DGARA or not self._anomalies.is_open:
            return CyclePhase.VALIDATE
        return CyclePhase.FOLLOW_UP

    def _follow_up(self) -> CyclePhase:
        """See whether the dialog was answered. Follow-ups change the screen: then it is read once more."""
        is_dgara = self._plan.semantics == DGARA
        if is_dgara:
            self._anomalies.watch_one_action()
        changed = False if is_dgara else self._anomalies.look(self.state.screen)
        self._line(CyclePhase.FOLLOW_UP, {"dialog": self._anomalies.is_open, "changed": changed})
        return CyclePhase.SETTLE if is_dgara or changed else CyclePhase.VALIDATE

    def _validate(self) -> CyclePhase:
        state = self.state
        assert state.view is not None
        if state.signal is not None:
            state.view = view_after(state.view, state.signal)
        state.validation = self._rules.see(state.view, claimed=state.signal is not None)
        state.ended_by = self._end()
        line = {**state.validation.as_line(), "steps": state.agent_steps}
        self._line(CyclePhase.VALIDATE, {**line, "end": state.ended_by} if state.ended_by else line)
        if state.ended_by:
            self._say_reached()
            return CyclePhase.END
        return CyclePhase.HOLD if self._hold.is_taken_over() else CyclePhase.DECIDE

    def _say_reached(self) -> None:
        """Say which states are reached, once it is known that the screen is that of a step."""
        states = tuple(rule.id for rule in self._rules.evaluation.rules.states)
        self._record.reached(self.state.validation.reached, states)

    def _end(self) -> str:
        state = self.state
        return ended_by(
            self._plan, self._rules, state.validation, signal=state.signal, steps=state.agent_steps,
            person_steps=state.person_steps, repeats=self._repeats.count,
            is_unanswered=state.is_unanswered,
        )  # fmt: skip

    def _line(self, phase: CyclePhase, data: Mapping[str, Any], screen: ScreenMoment | None = None) -> None:
        self._record.line(phase, data, screen)


def view_of(screen: ScreenMoment, step: int, action: Action | None) -> StateView:
    """A screen as rules see it, the same as when it is read from the disk again."""
    frame = screen.frame
    package = screen.package or main_package(node.package for node in screen.tree or ())
    return StateView(
        screen.tree, screen.xml, package, screen.activity, step, action, apps=screen.apps,
        picture=(lambda: None) if frame is None else frame.rgb, app_data=lambda: screen.app_data,
    )  # fmt: skip


def added(first: Usage, second: Usage) -> Usage:
    """The sum of two usages; of costs in two currencies the first's alone."""
    try:
        return first + second
    except ValueError:
        return first + replace(second, cost=None, currency="")


def _ms_since(began: float) -> int:
    return round((time.monotonic() - began) * 1000)
