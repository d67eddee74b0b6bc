"""What an agent said and did in each step of a D-GARA run, from its two logs.

``eva_log.jsonl`` has the decision of a step, and whether it was carried out. ``run_log.jsonl`` has the
actions that were carried out, in order and without the number of their step.
"""

from __future__ import annotations

import datetime as dt
import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from collector.agents.translators.dgara import read_decision
from collector.agents.translators.errors import Hallucinated, Malformed
from collector.model.action import HALLUCINATED, MALFORMED, Action, Complete, Invalid, Swipe
from collector.model.episode import AgentTurn
from collector.model.i18n import _

Line = Mapping[str, Any]
DECISION, EXECUTION, EXECUTED, WARNING = (
    "agent_decision_vlm", "agent_action_execution", "agent_action", "step_warning",
)  # fmt: skip
SKIPPED = "DONE_ACTION_SKIPPED"
"""Result of a step of which the executor was not asked, because it ended the run."""
_LAST_SECOND = 253_402_300_799
"""The end of the year 9999, the last that dates are written for."""
_NOT_DONE = {
    "missing_coordinates": MALFORMED,
    "incorrect_coordinate_count": MALFORMED,
    "unknown_action_type": HALLUCINATED,
}
"""Reasons of the executor for an action it did not carry out."""


@dataclass(slots=True)
class RunTurn:
    """One step of a run, by its number in the logs."""

    number: int
    decision: Line = field(default_factory=dict)
    """The line of the decision; empty when there is none."""
    execution: Line = field(default_factory=dict)
    """The line that says how it was carried out."""
    executed: Line = field(default_factory=dict)
    """The action of the executor's own log."""
    warning: str = ""

    @property
    def said(self) -> Any:
        """The agent's answer, as D-GARA parsed it."""
        return self.decision.get("decision")

    @property
    def seconds(self) -> float:
        """When the action began, or the decision was logged; 0 when neither is known."""
        return seconds_of(self.executed) or seconds_of(self.decision)

    @property
    def agent(self) -> AgentTurn | None:
        """What the agent said; None without a decision."""
        if not self.decision:
            return None
        said = self.said if isinstance(self.said, Mapping) else {}
        return AgentTurn(
            thought=str(said.get("thought") or ""),
            raw="" if self.said is None else json.dumps(self.said, ensure_ascii=False),
            predicted=self.predicted,
        )

    @property
    def predicted(self) -> Action | None:
        """The action the answer asks for, an Invalid when it asks for none; None without a decision."""
        if not self.decision:
            return None
        if not isinstance(self.said, Mapping) or not self.said:
            return self._invalid(MALFORMED, self.warning or _("The agent gave no answer that can be read"))
        try:
            return read_decision(self.said).action
        except Malformed as error:
            return self._invalid(MALFORMED, str(error))
        except Hallucinated as error:
            return self._invalid(HALLUCINATED, str(error))

    @property
    def action(self) -> Action | None:
        """The action that was carried out; an Invalid when D-GARA refused the answer."""
        predicted = self.predicted
        if predicted is None or isinstance(predicted, Invalid | Complete):
            return predicted
        if self.executed.get("success") is False:
            reason = str(self.executed.get("reason") or "")
            return self._invalid(
                _NOT_DONE.get(reason, MALFORMED), _("D-GARA did not do it: {why}", why=reason)
            )
        if not self.execution and self.warning:
            return self._invalid(MALFORMED, self.warning)
        done = _executed_action(self.executed)
        return done if done is not None else predicted

    def _invalid(self, problem: str, reason: str) -> Invalid:
        raw = "" if self.said is None else json.dumps(self.said, ensure_ascii=False)
        return Invalid(raw, problem, reason)


def turns_of(decisions: Sequence[Line], carried_out: Sequence[Line]) -> dict[int, RunTurn]:
    """The steps of a run by their number. The executor's actions are paired in order."""
    turns: dict[int, RunTurn] = {}
    for line in decisions:
        number, kind = line.get("step"), line.get("type")
        if type(number) is not int or kind not in (DECISION, EXECUTION, WARNING):
            continue
        turn = turns.setdefault(number, RunTurn(number))
        if kind == DECISION:
            turn.decision = line
        elif kind == EXECUTION:
            turn.execution = line
        else:
            turn.warning = str(line.get("reason") or "")
    done = [line for line in carried_out if line.get("type") == EXECUTED]
    acting = [turn for turn in turns.values() if _acts(turn)]
    if len(done) != len(acting):
        acting = [turn for turn in acting if turn.execution]
    if len(done) == len(acting):  # otherwise a line is missing, and which one is not known
        for turn, line in zip(acting, done, strict=True):
            turn.executed = line
    return turns


def _acts(turn: RunTurn) -> bool:
    """Whether the executor was asked: not for a word of completion, nor for an answer without an action."""
    said = turn.said
    if not isinstance(said, Mapping) or not said or turn.execution.get("result") == SKIPPED:
        return False
    return str(said.get("action") or "").lower() != "done" and not (turn.warning and not turn.execution)


def _executed_action(line: Line) -> Action | None:
    """The action that the executor logged; None when its line says nothing that can be read."""
    start, end = line.get("start_coordinates"), line.get("end_coordinates")
    is_swipe = isinstance(start, list) and isinstance(end, list)
    coords = [*start, *end] if is_swipe else line.get("target_coordinates")  # type: ignore[misc]
    values = {"action": line.get("action"), "coords": coords, "input_text": line.get("text")}
    try:
        action = read_decision(values).action
    except (Malformed, Hallucinated):
        return None
    given = line.get("duration_ms")
    if isinstance(action, Swipe) and type(given) is int and given > 0:
        return Swipe(action.x1, action.y1, action.x2, action.y2, given)
    return action


def seconds_of(line: Line) -> float:
    """The time of a line in seconds since 1970, to the millisecond; 0 when it has none."""
    value = line.get("timestamp")
    if isinstance(value, (int, float)) and not isinstance(value, bool) and 0 <= value <= _LAST_SECOND:
        return round(float(value), 3)
    return 0.0


def moment_of(seconds: float) -> str:
    """A time as ISO 8601 in UTC; empty for 0."""
    if not seconds:
        return ""
    return dt.datetime.fromtimestamp(seconds, dt.UTC).isoformat(timespec="milliseconds")


def first_seconds(*logs: Iterable[Line]) -> float:
    """The first time of the logs, which need not be in order; 0 when there is none."""
    times = (seconds_of(line) for log in logs for line in log)
    return min((time for time in times if time), default=0.0)
