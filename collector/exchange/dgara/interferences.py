"""The anomalies of a D-GARA run, as our injector writes them: injected, answered or lost, and followed up.

D-GARA's log has the injection alone. The event of the button that was pressed lies in a file of the step, and
what follows it stands in the library: D-GARA runs it without a word in its logs.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from collector.anomalies.events import ANSWERED, FOLLOWED, INJECTED, UNCLEAR
from collector.anomalies.model import Anomaly
from collector.exchange.dgara.turns import DECISION, Line, RunTurn, moment_of, seconds_of
from collector.exchange.exchange_log import NOTE, ExchangeLog
from collector.exchange.source import files as source_files
from collector.exchange.source.model import SourceEvent
from collector.model.anomaly_terms import EVENT_PREFIX
from collector.model.companion.activities import ACTIVITIES
from collector.model.i18n import _
from collector.store.trajectory.interruptions import EVENT

INJECTION = "interference_injected"
FindAnomaly = Callable[[str], Anomaly | None]


@dataclass(frozen=True, slots=True)
class Interference:
    """One injection of a run."""

    id: str
    anomaly: str
    buttons: int | None
    step: int
    """Number of the step that was taken under its dialog."""
    events: tuple[SourceEvent, ...]


@dataclass(frozen=True, slots=True)
class _Moment:
    """A time of the run, for the lines of ``events.jsonl``."""

    seconds: float
    begin: float

    def event(self, injection: str, anomaly: str, transition: str, step: int, **values: Any) -> SourceEvent:
        filled = {key: value for key, value in values.items() if value not in ("", None, {})}
        data = {
            "injection": injection, "anomaly": anomaly, "transition": transition, "step": step,
            "wall_time": moment_of(self.seconds), **filled,
        }  # fmt: skip
        return SourceEvent(EVENT, round(1000 * max(0.0, self.seconds - self.begin)), data)


def interferences_of(
    decisions: Sequence[Line],
    turns: Mapping[int, RunTurn],
    places: Mapping[int, int],
    pressed: Mapping[int, Path],
    begin: float,
    find: FindAnomaly,
    log: ExchangeLog,
) -> list[Interference]:
    """The anomalies in the order of the log.

    ``places`` gives the index of each numbered step, ``pressed`` the files with the events of buttons,
    ``find`` the anomalies of the source or of the project.
    """
    interferences: list[Interference] = []
    for at, line in enumerate(decisions):
        if line.get("type") != INJECTION:
            continue
        number = _next_step(decisions[at:], turns)
        name = f"dgara-{len(interferences) + 1}"
        interferences.append(_interference(name, line, number, turns, places, pressed, begin, find, log))
    return interferences


def _next_step(lines: Sequence[Line], turns: Mapping[int, RunTurn]) -> int:
    """The number of the step that begins with an injection; one past the last when the run ends there."""
    following = (line.get("step") for line in lines if line.get("type") == DECISION)
    return next((step for step in following if type(step) is int), max(turns, default=0) + 1)


def _interference(
    name: str,
    line: Line,
    number: int,
    turns: Mapping[int, RunTurn],
    places: Mapping[int, int],
    pressed: Mapping[int, Path],
    begin: float,
    find: FindAnomaly,
    log: ExchangeLog,
) -> Interference:
    anomaly_id = str(line.get("interference_id") or "")
    anomaly = find(anomaly_id)
    given = line.get("params")
    params: Mapping[str, Any] = given if isinstance(given, Mapping) else {}
    step = places.get(number, len(places))
    rest = {key: value for key, value in line.items() if key not in ("type", "timestamp", "interference_id")}
    rest = {("rule" if key == "rule_id" else key): value for key, value in rest.items() if key not in _OWN}
    injected = _Moment(seconds_of(line), begin).event(name, anomaly_id, INJECTED, step, **rest)
    events = [injected]
    turn = turns.get(number)
    if turn is not None and turn.decision:
        after = _Moment(seconds_of(turn.execution) or seconds_of(turn.decision) or seconds_of(line), begin)
        event = _event_of(pressed.get(number))
        if event:
            answer, button = _answer_of(event, params, anomaly)
            events.append(
                after.event(name, anomaly_id, ANSWERED, step + 1, event=event, answer=answer, button=button)
            )
            events += _follow_ups(name, anomaly_id, anomaly, event, after, step + 1)
            if len(events) > 2:
                text = _("D-GARA logs no follow-ups: those of its library for the pressed button are shown")
                log.add("follow-ups-of-library", text, step=number, severity=NOTE)
        else:
            why = _("D-GARA saw no button within its step, and watched the dialog no longer")
            events.append(after.event(name, anomaly_id, UNCLEAR, step + 1, reason=why))
    buttons = _buttons(anomaly_id, params, anomaly)
    return Interference(name, anomaly_id, buttons, number, tuple(events))


_OWN = frozenset((
    "injection", "anomaly", "transition", "step", "wall_time", "kind", "t_ms", "event", "answer", "button",
))  # fmt: skip
"""Keys of our own lines, which a line of D-GARA does not fill."""


def _event_of(path: Path | None) -> str:
    return source_files.read_text(path).strip() if path is not None else ""


def _answer_of(event: str, params: Mapping[str, Any], anomaly: Anomaly | None) -> tuple[str, str]:
    """The answer as rules name it and the label of the button that logs ``event``; empty when not known."""
    for activity in ACTIVITIES.values():
        for button in activity.buttons:
            if params.get(button.event) == event:
                return button.answer, str(params.get(button.text) or "")
    for answer in anomaly.answers if anomaly is not None else ():
        if answer.event == event:
            return answer.name, answer.button
    return "", ""


def _follow_ups(
    name: str, anomaly_id: str, anomaly: Anomaly | None, event: str, after: _Moment, step: int
) -> list[SourceEvent]:
    follow_ups = anomaly.events.get(EVENT_PREFIX + event, ()) if anomaly is not None else ()
    return [
        after.event(
            name,
            anomaly_id,
            FOLLOWED,
            step,
            command=follow_up.command.text if follow_up.command is not None else "",
            message=follow_up.message,
        )
        for follow_up in follow_ups
    ]


def _buttons(anomaly_id: str, params: Mapping[str, Any], anomaly: Anomaly | None) -> int | None:
    """How many buttons the dialog has: by the library, by its texts, or by D-GARA's endings of ids."""
    if anomaly is not None and anomaly.buttons:
        return anomaly.buttons
    for activity in ACTIVITIES.values():
        if any(button.text in params for button in activity.buttons):
            return len(activity.buttons)
    words = anomaly_id.split("_")
    return 2 if "double" in words else 1 if "forced" in words else None
