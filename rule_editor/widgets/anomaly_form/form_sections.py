"""The section of the anomaly form that shows a value of the text."""

from __future__ import annotations

from collections.abc import Sequence

from collector.anomalies.model import NATIVE, Anomaly
from collector.model.anomaly_terms import EVENT_PREFIX
from collector.model.companion.activities import ACTIVITIES, CompanionActivity

HEAD, DIALOG, COMMANDS = "head", "dialog", "commands"
FormSection = tuple[str, str]
"""A section of the form, and the answer or the number of a version range in it (or empty)."""


def section_of(anomaly: Anomaly, path: Sequence[str | int]) -> FormSection:
    """The section that shows the value at ``path`` of the entry."""
    first = path[0] if path else ""
    if anomaly.kind == NATIVE:
        return (COMMANDS, str(path[1])) if first == "commands" and len(path) > 1 else (HEAD, "")
    if first in ("target_activity", "params", "post_actions", "follow_up", "answer"):
        return DIALOG, _answer(anomaly, str(path[1])) if len(path) > 1 else ""
    return HEAD, ""


def _answer(anomaly: Anomaly, key: str) -> str:
    """The answer a parameter, an event or a follow-up belongs to."""
    known = ACTIVITIES.get(anomaly.activity, CompanionActivity())
    by_parameter = {name: button.answer for button in known.buttons for name in (button.text, button.event)}
    by_event = {EVENT_PREFIX + answer.event: answer.name for answer in anomaly.answers if answer.event}
    named = {button.answer: button.answer for button in known.buttons}
    return (named | by_event | by_parameter).get(key, "")
