"""The results of a check in words, for a terminal, a window and a page."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from collector.device_check.result_names import measurement_name, workspace_name
from collector.device_check.results import (
    CheckOutcome,
    CheckStepResult,
    PhoneMeasurement,
    WorkspaceVerdict,
)
from collector.device_check.steps.all_steps import STEPS
from collector.model.i18n import _
from collector.model.phone.quirks import known_quirks


def step_title(step_id: str) -> str:
    """What a step tries; its id where this version has no such step."""
    return next((step.title for step in STEPS if step.id == step_id), step_id)


def measurement_text(measurement: PhoneMeasurement) -> str:
    """One measurement, as in ``Answer to a command: 3.2 ms``."""
    return f"{measurement_name(measurement.name)}: {measurement_value(measurement)}"


def measurement_value(measurement: PhoneMeasurement) -> str:
    """Its value with its unit."""
    value = measurement.value
    if measurement.name == "skew" and isinstance(value, (int, float)):
        return _clock_text(value)
    shown = f"{value:,}" if isinstance(value, (int, float)) and not isinstance(value, bool) else str(value)
    return f"{shown} {measurement.unit}".rstrip()


def _clock_text(milliseconds: float) -> str:
    """How far the phone's clock is off, as in ``10 d 5 h behind this computer's``."""
    seconds = abs(milliseconds) / 1000
    minutes, hours, days = round(seconds / 60), round(seconds / 3600), round(seconds) // 86_400
    if seconds < 1:
        time = f"{seconds * 1000:.0f} ms"
    elif seconds < 90:
        time = f"{seconds:.1f} s"
    elif minutes < 90:
        time = f"{minutes} min"
    else:
        time = f"{days} d {hours - 24 * days} h" if days else f"{hours} h"
    if milliseconds < 0:
        return _("{time} behind this computer's", time=time)
    return _("{time} ahead of this computer's", time=time)


def outcome_text(result: CheckStepResult) -> str:
    """How a step ended, and why."""
    words = {
        CheckOutcome.PASSED: _("passed"),
        CheckOutcome.FAILED: _("failed"),
        CheckOutcome.SKIPPED: _("left out"),
    }
    said = words[result.outcome]
    return f"{said}: {result.reason}" if result.reason else f"{said} ({result.seconds:.1f} s)"


def quirk_lines(ids: Iterable[str]) -> Iterator[str]:
    """A line for each known quirk, with what happens and what a person does about it below."""
    for quirk in known_quirks(ids):
        yield quirk.title
        yield f"    {quirk.effect}"
        yield f"    {quirk.mend}"


def verdict_lines(verdicts: Iterable[WorkspaceVerdict]) -> Iterator[str]:
    """A line for each workspace, and one below it for each thing that limits it."""
    for verdict in verdicts:
        name = workspace_name(verdict.workspace)
        yield _("{name} works", name=name) if verdict.works else _("{name} does not work", name=name)
        yield from (f"    {limit}" for limit in verdict.limits)
