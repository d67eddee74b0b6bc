"""The log of an episode in words, line by line: from its stored steps and events, or from live events."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from collector.agents.openai.kept_request import request_of, request_text
from collector.anomalies import events as anomaly
from collector.comparison.steps.app_changes import AppChange
from collector.hierarchy.captions import caption as action_caption
from collector.model.action import Action, Invalid, action_from_dict
from collector.model.companion.how_text import how_text
from collector.model.episode import ACTING_PERSON, AGENT_LOG_EVENT, Outcome
from collector.model.episode_text import BASELINE, agent_text, fault_text, verdict_text
from collector.model.i18n import N_, _, ngettext
from collector.model.message import in_language
from collector.model.reasons.stored_reasons import shown_reason
from collector.model.trajectory import Step, TrajectoryHeader
from collector.model.user_reply import REPLY, UserReply, reply_text
from collector.recorder.events import PHONE_LOST
from collector.rules.evaluation.trajectory_run import WHY_SUPPRESSED, DecisionKind
from collector.run import events as live
from collector.run.cycle.conditions import PLANNED
from collector.run.cycle.ending import BY_BUDGET, BY_REPEATS, BY_SIGNAL, BY_SILENCE, BY_SUCCESS
from collector.run.cycle.episode_record import CYCLE_EVENT
from collector.run.cycle.phases import CyclePhase
from collector.store.trajectory.interruptions import EVENT

_ANSWERS: Mapping[str, str] = {
    "accept": N_("accepted"), "deny": N_("denied"), "manage": N_("managed"), "dismiss": N_("closed"),
}  # fmt: skip
_ENDS: Mapping[str, str] = {
    BY_SIGNAL: N_("The agent said that it is finished"),
    BY_SUCCESS: N_("The task is done"),
    BY_SILENCE: N_("Ended: the agent asked its user, and nobody answered"),
    BY_REPEATS: N_("Stopped early: the agent did the same again and again"),
    BY_BUDGET: N_("The budget of steps is spent"),
}
_CONTROLS: Mapping[str, str] = {
    "running": N_("The agent goes on"),
    "paused": N_("Paused"),
    "taken_over": N_("{person} took over"),
    "stopping": N_("Stopping"),
}


THOUGHTS, ANSWERS, REQUESTS, ACTIONS, EVENTS = "thought", "answer", "request", "action", "event"
LINE_KINDS = {
    THOUGHTS: N_("Thoughts"), ANSWERS: N_("Answers as received"), REQUESTS: N_("Requests to the model"),
    ACTIONS: N_("Actions"), EVENTS: N_("Events"),
}  # fmt: skip
"""Kinds of lines, each in words."""


@dataclass(frozen=True, slots=True)
class LogLine:
    """A line: what happened in a step. ``step`` counts from 1; 0 is before the first and after the last."""

    step: int
    icon: str
    text: str
    detail: str = ""
    """More, such as the whole thought; empty when the text says it all."""
    tone: str = ""
    """warn, err, ok, info or empty."""
    kind: str = "event"
    """One of LINE_KINDS."""

    @property
    def whole(self) -> str:
        """Text and detail in one line, as it is copied."""
        words = f"{self.text}: {self.detail}" if self.detail else self.text
        return " ".join(words.split())


def log_text(lines: Iterable[LogLine]) -> str:
    """The lines as plain text, each with its step."""
    return "\n".join(f"{line.step or '-'}\t{line.whole}" for line in lines)


def stored_log(
    header: TrajectoryHeader, steps: Sequence[Step], events: Iterable[Mapping[str, Any]],
    changes: Iterable[AppChange] = (),
) -> list[LogLine]:  # fmt: skip
    """The log of a stored episode; events that are not understood are left out.

    ``changes`` are those of the data of apps.
    """
    known = list(events)
    reader = _StoredLog(header, steps, known, changes)
    for event in known:
        reader.add(event)
    return [*reader.lines, *_outcome_lines(header.outcome)]


class _StoredLog:
    def __init__(
        self, header: TrajectoryHeader, steps: Sequence[Step], events: Iterable[Mapping[str, Any]],
        changes: Iterable[AppChange],
    ) -> None:  # fmt: skip
        self._steps = steps
        self._changes: dict[int, list[str]] = {}
        for change in changes:
            self._changes.setdefault(change.step + 1, []).append(change.text)
        self._seen_again = {
            event.get("number") for event in events if event.get("phase") == CyclePhase.OBSERVE_AGAIN
        }
        """Steps whose screen is the one with the anomaly, and not the one that was observed first."""
        self.lines = _first_lines(header)
        self._reached: list[str] = []
        self._done: object = None
        self._violated: list[str] = []

    def add(self, event: Mapping[str, Any]) -> None:
        kind = event.get("kind")
        if kind == EVENT:
            step = event.get("step")
            next_step = step + 1 if isinstance(step, int) else 0
            self.lines += _anomaly_lines(next_step, _texts(event))
        elif kind == PHONE_LOST:
            reason = str(event.get("reason") or "")
            self.lines.append(LogLine(0, "state-err", _("The phone was lost"), reason, "err"))
        elif kind in (CYCLE_EVENT, AGENT_LOG_EVENT):
            written = event.get("number")
            number = written if isinstance(written, int) else 0
            if kind == CYCLE_EVENT:
                self._add_phase(number, str(event.get("phase")), event)
            else:
                self.lines.append(LogLine(number, "code", _("The agent's log"), str(event.get("text") or "")))

    def _add_phase(self, number: int, phase: str, event: Mapping[str, Any]) -> None:
        match phase:
            case CyclePhase.OBSERVE | CyclePhase.OBSERVE_AGAIN | CyclePhase.SETTLE:
                self.lines += self._observed(number, event, again=phase == CyclePhase.OBSERVE_AGAIN)
            case CyclePhase.DECIDE:
                self.lines += _decided(number, event)
            case CyclePhase.INJECT if event.get("refused"):
                words = _("{anomaly} was not injected", anomaly=event.get("anomaly", ""))
                self.lines.append(LogLine(number, "zap", words, str(event["refused"]), "warn"))
            case CyclePhase.THINK:
                self.lines += self._thought(number, event)
            case CyclePhase.HOLD:
                person = str(event.get("person") or "")
                self.lines += control_lines(number, str(event.get("control") or ""), person)
            case CyclePhase.ACT:
                self.lines += self._acted(number, event)
            case CyclePhase.VALIDATE:
                self.lines += self._validated(number, event)
            case _:
                pass

    def _step(self, number: int) -> Step | None:
        return self._steps[number - 1] if 0 < number <= len(self._steps) else None

    def _observed(self, number: int, event: Mapping[str, Any], *, again: bool) -> list[LogLine]:
        step = self._step(number)
        if not again and number in self._seen_again:
            step = None
        place = _place(step.state.package, step.state.activity) if step is not None else ""
        words = _("Observed the screen again, with the anomaly") if again else _("Observed the screen")
        detail = " · ".join(filter(None, (place, _duration(event.get("ms")))))
        return [LogLine(number, "eye", words, detail)]

    def _thought(self, number: int, event: Mapping[str, Any]) -> list[LogLine]:
        step = self._step(number)
        turn = step.agent if step is not None else None
        if turn is None:
            return []
        took = _duration(event.get("ms"))
        if not turn.thought and not turn.raw:
            return []
        words = _("Thought for {time}", time=took) if took else _("Thought")
        return [
            *_asked_lines(number, step),
            LogLine(number, "thought", words, turn.thought or turn.raw, kind=THOUGHTS),
            *_answer_lines(number, step),
        ]

    def _acted(self, number: int, event: Mapping[str, Any]) -> list[LogLine]:
        step = self._step(number)
        if step is None or step.action is None:
            return []
        who = str(step.extra.get(ACTING_PERSON) or "")
        same = event.get("same")
        lines = action_lines(number, step.action, step.description, who)
        if (reply := UserReply.read(step.extra.get(REPLY))) is not None:
            lines.append(LogLine(number, "help", reply_text(reply), "", "" if reply.text else "warn"))
        if isinstance(same, int) and same > 1:
            words = _("The same action {count} times in a row", count=same)
            lines.append(LogLine(number, "loop", words, "", "warn"))
        return lines

    def _validated(self, number: int, event: Mapping[str, Any]) -> list[LogLine]:
        reached = [str(state) for state in event.get("reached") or ()]
        new = [state for state in reached if state not in self._reached]
        self._reached = reached
        lines = [LogLine(number, "flag", _("Reached {state}", state=state), "", "ok") for state in new]
        changed = self._changes.pop(number, ())
        lines += [LogLine(number, "layers", _("In an app"), text) for text in changed]
        violated = [str(rule) for rule in event.get("violated") or ()]
        lines += [
            LogLine(number, "state-warn", _("{rule} happened, which must never happen", rule=rule), "", "err")
            for rule in violated
            if rule not in self._violated
        ]
        self._violated = violated
        done = event.get("done")
        if done is not self._done and done is not None:
            words = _("The success rule holds") if done else _("The success rule does not hold")
            lines.append(LogLine(number, "rules", words, "", "ok" if done else ""))
        self._done = done
        end = _ENDS.get(str(event.get("end")))
        return [*lines, LogLine(number, "stop", _(end))] if end else lines


def trace(
    header: TrajectoryHeader, steps: Sequence[Step], events: Iterable[Mapping[str, Any]],
    changes: Iterable[AppChange] = (),
) -> list[LogLine]:  # fmt: skip
    """All that is known of a trajectory, line by line; of one that no runner wrote, by its steps alone."""
    known = list(events)
    if any(event.get("kind") == CYCLE_EVENT for event in known):
        return stored_log(header, steps, known, changes)
    texts: dict[int, list[str]] = {}
    for change in changes:
        texts.setdefault(change.step + 1, []).append(change.text)
    lines = stored_log(header, (), known)
    by_step = [
        line for number, step in enumerate(steps, start=1) for line in _step_lines(number, step, texts)
    ]
    return [line for line in lines if not line.step] + by_step + [line for line in lines if line.step]


def _step_lines(number: int, step: Step, changes: Mapping[int, Sequence[str]]) -> Iterator[LogLine]:
    yield from (LogLine(number, "layers", _("In an app"), text) for text in changes.get(number, ()))
    turn = step.agent
    yield from _asked_lines(number, step)
    if turn is not None and turn.thought:
        yield LogLine(number, "thought", _("Thought"), turn.thought, kind=THOUGHTS)
    yield from _answer_lines(number, step)
    if step.intention:
        yield LogLine(number, "thought", _("Intention"), step.intention, kind=THOUGHTS)
    if step.action is not None:
        yield from action_lines(
            number, step.action, step.description, str(step.extra.get(ACTING_PERSON) or "")
        )


def _asked_lines(number: int, step: Step | None) -> Iterator[LogLine]:
    """The request to the model, where the step keeps it."""
    request = request_of(step) if step is not None else None
    if request is not None:
        yield LogLine(number, "ext", _("Asked the model"), request_text(request), kind=REQUESTS)


def _answer_lines(number: int, step: Step | None) -> Iterator[LogLine]:
    """The answer as received, where it says more than the thought."""
    turn = step.agent if step is not None else None
    if turn is not None and turn.thought and turn.raw and turn.raw != turn.thought:
        yield LogLine(number, "code", _("Answer as received"), turn.raw, kind=ANSWERS)


def live_log(events: Iterable[live.RunEvent]) -> list[LogLine]:
    """The log of an episode whose trajectory is not on this computer, from what its runner says."""
    lines: list[LogLine] = []
    step = 0
    for event in events:
        step = getattr(event, "step", step)
        is_inside = isinstance(event, live.StatesReached | live.ControlChanged)
        lines += [replace(line, step=step) if is_inside else line for line in _live_lines(event)]
    return lines


def _live_lines(event: live.RunEvent) -> list[LogLine]:
    match event:
        case live.EpisodeBegan():
            words = _begins(event.agent, event.condition)
            return [LogLine(0, "play", words, event.instruction)]
        case live.ScreenObserved():
            place = _place(event.package, event.activity)
            return [LogLine(event.step, "eye", _("Observed the screen"), place)]
        case live.ActionPredicted():
            thought = [LogLine(event.step, "thought", _("Thought"), event.thought)] if event.thought else []
            return [*thought, *_predicted(event)]
        case live.AnomalyChanged():
            values = {"anomaly": event.anomaly, "transition": event.transition, "answer": event.answer}
            return _anomaly_lines(event.step, {**values, "how": event.how, "reason": event.reason})
        case live.StatesReached() if event.reached:
            return [LogLine(0, "flag", _("Reached {state}", state=event.reached[-1]), "", "ok")]
        case live.UserAsked() if event.is_open:
            return [LogLine(event.step, "help", _("The agent asks its user"), event.question, "warn")]
        case live.ControlChanged():
            return control_lines(0, event.state, event.person)
        case live.EpisodeEnded():
            outcome = Outcome(
                event.status, event.reason, early_stop=event.early_stop, infrastructure=event.infrastructure
            )
            return _outcome_lines(outcome)
        case _:
            return []


def _predicted(event: live.ActionPredicted) -> list[LogLine]:
    try:
        action = action_from_dict(dict(event.action))
    except (ValueError, TypeError):
        return [LogLine(event.step, "help", event.caption)]
    return action_lines(event.step, action, event.caption)


def action_lines(number: int, action: Action, caption: str, person: str = "") -> list[LogLine]:
    """The line of an action; an answer that is none says why."""
    if isinstance(action, Invalid):
        words = _("The answer is no action, nothing was done")
        return [LogLine(number, "state-err", words, action.reason or action.raw, "err", ACTIONS)]
    words = in_language(caption) if caption else in_language(action_caption(action, None))
    if person:
        return [
            LogLine(
                number, "user", _("{person} did: {action}", person=person, action=words), "", "ok", ACTIONS
            )
        ]
    return [LogLine(number, "target", words, kind=ACTIONS)]


def control_lines(number: int, control: str, person: str) -> list[LogLine]:
    """The line of a change of who moves."""
    words = _CONTROLS.get(control)
    if words is None:
        return []
    tone = "ok" if control == "taken_over" else ""
    return [LogLine(number, "hand", _(words, person=person or _("A person")), "", tone)]


def _first_lines(header: TrajectoryHeader) -> list[LogLine]:
    episode = header.episode
    if episode is None:
        return []
    return [LogLine(0, "play", _begins(agent_text(episode), episode.condition), header.instruction)]


def _begins(agent: str, condition: str) -> str:
    """That an agent begins, and what it meets."""
    if condition in ("", BASELINE):
        return _("{agent} begins without an anomaly", agent=agent)
    return _("{agent} begins under {condition}", agent=agent, condition=condition)


def _outcome_lines(outcome: Outcome | None) -> list[LogLine]:
    if outcome is None:
        return []
    if outcome.stopped:
        words = _("Stopped by people; it counts for nothing and is run again on resume")
        return [LogLine(0, "stop", words, fault_text(outcome.infrastructure))]
    if outcome.infrastructure:
        words = _("Ended by a fault of the machine; it counts for nothing and is run again on resume")
        return [LogLine(0, "power", words, fault_text(outcome.infrastructure), "warn")]
    tones = {"success": "ok", "failure": "err", "uncompleted": "warn"}
    icons = {"success": "state-ok", "failure": "state-err", "uncompleted": "state-unc"}
    words = verdict_text(outcome.status)
    if outcome.early_stop:
        words = _("{outcome}, stopped early", outcome=words)
    icon = icons.get(outcome.status, "state-todo")
    text = _("Outcome: {outcome}", outcome=words)
    return [LogLine(0, icon, text, shown_reason(outcome.reason), tones.get(outcome.status, ""))]


def _decided(number: int, event: Mapping[str, Any]) -> list[LogLine]:
    """A line for each rule that was heard, and how many were silent."""
    lines = [
        _decision(number, _texts(item), item.get("draw"))
        for item in event.get("rules") or ()
        if isinstance(item, Mapping)
    ]
    silent = len(event.get("silent") or ())
    if silent and not lines:
        words = ngettext("{count} rule was tried, none held", "{count} rules were tried, none held", silent)
        lines.append(LogLine(number, "rules", words))
    return lines


def _decision(number: int, item: Mapping[str, str], draw: object) -> LogLine:
    drawn = _("draw {number}", number=f"{draw:.3f}") if isinstance(draw, float) else ""
    outcome = item.get("outcome")
    if outcome == DecisionKind.FIRED and item.get("rule", "").startswith(f"{PLANNED}-"):
        words = _("{anomaly} is planned for this step", anomaly=item.get("anomaly", ""))
        return LogLine(number, "state-fire", words, drawn, "warn")
    if outcome == DecisionKind.FIRED:
        words = _("Rule {rule} fires: {anomaly}", rule=item.get("rule", ""), anomaly=item.get("anomaly", ""))
        return LogLine(number, "state-fire", words, drawn, "warn")
    if outcome == DecisionKind.NEAR:
        return LogLine(number, "state-near", _("Rule {rule} almost held", rule=item.get("rule", "")), drawn)
    why = WHY_SUPPRESSED.get(item.get("reason", ""))
    detail = " · ".join(filter(None, (_(why) if why else item.get("reason", ""), drawn)))
    words = _("Rule {rule} held and was not applied", rule=item.get("rule", ""))
    return LogLine(number, "state-held", words, detail)


def _anomaly_lines(number: int, event: Mapping[str, str]) -> list[LogLine]:
    name, reason = event.get("anomaly", ""), event.get("reason", "")
    match event.get("transition"):
        case anomaly.INJECTED:
            return [LogLine(number, "zap", _("Injected {anomaly}", anomaly=name), "", "warn")]
        case anomaly.ANSWERED | anomaly.DISMISSED:
            answer = _ANSWERS.get(event.get("answer", ""))
            words = event.get("button") or how_text(event.get("how", ""))
            words = words or (_(answer) if answer else event.get("answer") or _("closed"))
            text = _("{anomaly} was answered: {answer}", anomaly=name, answer=words)
            return [LogLine(number, "check", text, "", "info")]
        case anomaly.CONTINUED:
            words = event.get("button") or how_text(event.get("how", "")) or event.get("answer", "")
            text = _("{anomaly} goes on after: {answer}", anomaly=name, answer=words)
            return [LogLine(number, "refresh", text, "", "warn")]
        case anomaly.UNCLEAR:
            text = _("{anomaly} is gone, and the phone does not say how", anomaly=name)
            return [LogLine(number, "help", text, reason, "warn")]
        case anomaly.FOLLOWED:
            detail = event.get("message") or event.get("command", "")
            return [
                LogLine(number, "refresh", _("A follow-up of {anomaly} ran", anomaly=name), detail, "info")
            ]
        case anomaly.UNDONE:
            return [LogLine(number, "undo", _("{anomaly} was taken back", anomaly=name))]
        case anomaly.FAILED:
            return [LogLine(number, "state-err", _("{anomaly} failed", anomaly=name), reason, "err")]
        case anomaly.STALLED:
            words = _("The phone does not answer for now")
            return [LogLine(number, "state-warn", words, reason, "warn")]
        case _:
            return []


def _texts(values: Mapping[str, Any]) -> dict[str, str]:
    """The values that are texts; a file may hold anything."""
    return {str(key): value for key, value in values.items() if isinstance(value, str)}


def _place(package: str, activity: str) -> str:
    return "/".join(filter(None, (package, activity.removeprefix(package))))


def _duration(milliseconds: object) -> str:
    if not isinstance(milliseconds, int | float) or milliseconds < 0:
        return ""
    if milliseconds < 1000:
        return _("{count} ms", count=round(milliseconds))
    return _("{seconds} s", seconds=f"{milliseconds / 1000:.1f}")
