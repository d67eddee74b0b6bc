"""The anomalies injected in a trajectory, each with the steps under it, its answer and its follow-ups.

Read from the ``anomaly`` lines of ``events.jsonl``, which are only ever added to; the steps are those
there are now, whatever was undone, deleted or recorded again since.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Protocol

from collector.model.action import Action
from collector.model.trajectory import Step, TrajectoryHeader
from collector.store.trajectory.codec import moment_ms

EVENT = "anomaly"
"""Kind of the lines that are read here."""
INTERRUPTED = "interrupted"
"""Key of a header's ``extra`` that lists the anomalies that were injected."""
_GONE = ("answered", "dismissed", "unclear")


class TimedStep(Protocol):
    """What is needed of a step to see which anomalies it was taken under."""

    @property
    def t_ms(self) -> int: ...

    @property
    def action(self) -> Action | None: ...

    @property
    def extra(self) -> Mapping[str, Any]: ...


@dataclass(frozen=True, slots=True)
class RecordedFollowUp:
    """A follow-up: a command and its ``output``, or a message; ``problem`` when it failed."""

    command: str = ""
    output: str = ""
    message: str = ""
    problem: str = ""


@dataclass(frozen=True, slots=True)
class Interruption:
    """One injected anomaly. Times are milliseconds of the trajectory, None for what did not happen."""

    injection: str
    anomaly: str
    native: bool = False
    command: str = ""
    injected_ms: int = 0
    slot: int = 0
    """Index of the step that came next."""
    steps: tuple[int, ...] = ()
    """Steps taken under the dialog, or on the changed phone."""
    gone_ms: int | None = None
    """When the dialog was known to be closed, for whatever reason."""
    answer: str = ""
    """The answer as rules name it, ``dismiss`` included; empty while open and when not known."""
    button: str = ""
    event: str = ""
    how: str = ""
    """How the dialog ended last, as the companion app says it: touch, back, outside, timeout, ..."""
    given: str = ""
    """What the person gave with the answer: stars, or the names of the fields that were filled."""
    earlier: tuple[str, ...] = ()
    """The answers before the last one, of a dialog that came back and of a chain."""
    answered_by: int | None = None
    """The step that answered it."""
    unclear: bool = False
    """Whether the dialog closed and the phone did not report how."""
    follow_ups: tuple[RecordedFollowUp, ...] = ()
    undone_ms: int | None = None
    problems: tuple[str, ...] = ()

    @property
    def over_ms(self) -> int | None:
        """When the anomaly ended on the phone, apart from follow-ups."""
        return self.undone_ms if self.gone_ms is None else self.gone_ms


def anomalies_in(
    events: Iterable[Mapping[str, Any]], steps: Sequence[TimedStep] = ()
) -> tuple[Interruption, ...]:
    """Every injection in ``events``, in order; lines that are not understood are left out."""
    interruptions: dict[str, Interruption] = {}
    for line in events:
        injection, moment = line.get("injection"), line.get("t_ms")
        if line.get("kind") != EVENT or not isinstance(injection, str) or not isinstance(moment, int):
            continue
        interruption, transition = interruptions.get(injection), line.get("transition")
        t_ms = moment_ms(moment)
        if interruption is not None:
            interruptions[injection] = _updated(interruption, str(transition), t_ms, line)
        elif transition == "injected":
            interruptions[injection] = Interruption(
                injection, _text(line, "anomaly"), line.get("native") is True, _text(line, "command"), t_ms
            )
    return tuple(_with_steps(interruption, steps) for interruption in interruptions.values())


def noted_anomalies(header: TrajectoryHeader) -> list[str]:
    """The anomalies that a header says were injected; it says so even where the events are gone."""
    noted = header.extra.get(INTERRUPTED)
    listed = noted if isinstance(noted, list) else ()
    values = (value.get("anomaly") if isinstance(value, dict) else value for value in listed)
    return [name for name in values if isinstance(name, str) and name]


def planned_anomalies(events: Iterable[Mapping[str, Any]]) -> tuple[str, ...] | None:
    """The anomalies that the plan of a run injects; None when ``events`` have no plan."""
    for line in events:
        settings = line.get("settings")
        condition = settings.get("condition") if isinstance(settings, Mapping) else None
        planned = condition.get("injections") if isinstance(condition, Mapping) else None
        if isinstance(planned, list):
            names = [item[0] for item in planned if isinstance(item, list) and item]
            return tuple(name for name in names if isinstance(name, str))
    return None


def _updated(interruption: Interruption, transition: str, t_ms: int, line: Mapping[str, Any]) -> Interruption:
    if transition in _GONE and interruption.gone_ms is None:
        return replace(
            interruption, gone_ms=t_ms, answer=_text(line, "answer"), button=_text(line, "button"),
            event=_text(line, "event"), unclear=transition == "unclear", how=_text(line, "how"),
            given=_text(line, "given"),
        )  # fmt: skip
    if transition == "continued":
        answer = _text(line, "button") or _text(line, "answer")
        return replace(interruption, earlier=(*interruption.earlier, answer))
    if transition == "followed":
        follow_up = RecordedFollowUp(_text(line, "command"), _text(line, "said"), _text(line, "message"))
        return replace(interruption, follow_ups=(*interruption.follow_ups, follow_up))
    if transition == "undone" and interruption.undone_ms is None:
        return replace(interruption, undone_ms=t_ms)
    if transition == "failed":
        if interruption.gone_ms is not None:
            failed = RecordedFollowUp(_text(line, "command"), problem=_text(line, "reason"))
            return replace(interruption, follow_ups=(*interruption.follow_ups, failed))
        return replace(interruption, problems=(*interruption.problems, _text(line, "reason")))
    return interruption


def _with_steps(interruption: Interruption, steps: Sequence[TimedStep]) -> Interruption:
    """The interruption with the current steps under it."""
    marks = [_injection_of(step) for step in steps]
    marked = tuple(at for at, injection in enumerate(marks) if injection == interruption.injection)
    # A changed phone marks no step, and neither does what others recorded.
    within = _within(interruption, steps) if interruption.native or not any(marks) else marked
    before = sum(step.t_ms < interruption.injected_ms for step in steps)
    answered = [
        at for at in within if interruption.gone_ms is not None and steps[at].t_ms <= interruption.gone_ms
    ]
    by = answered[-1] if answered and not interruption.native else None
    return replace(interruption, slot=marked[0] if marked else before, steps=within, answered_by=by)


def _within(interruption: Interruption, steps: Sequence[TimedStep]) -> tuple[int, ...]:
    """The steps between the injection and its end."""
    end = interruption.over_ms
    return tuple(
        at
        for at, step in enumerate(steps)
        if step.action is not None
        and interruption.injected_ms <= step.t_ms
        and (end is None or step.t_ms < end)
    )


def interrupted_app(step: Step) -> str | None:
    """For a step taken under a dialog the app below it, empty when not known; None for other steps."""
    mark = step.extra.get(EVENT)
    if not isinstance(mark, Mapping):
        return None
    return str(mark.get("over") or "")


def _injection_of(step: TimedStep) -> str:
    mark = step.extra.get(EVENT)
    return str(mark.get("injection", "")) if isinstance(mark, Mapping) else ""


def _text(line: Mapping[str, Any], key: str) -> str:
    value = line.get(key, "")
    return value if isinstance(value, str) else ""
