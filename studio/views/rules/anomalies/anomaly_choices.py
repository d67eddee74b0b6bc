"""The anomalies that a rule can inject, as the rule form offers them, and the rules that inject each."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from collector.anomalies.model import AnomalyLibrary, DialogAnswer
from collector.model.i18n import _
from collector.rules.grammar.model import Rule
from rule_editor.widgets.rule_form.action_box import AnomalyChoice

_EXAMPLE_ANOMALY = "low_battery_double_en"
"""Named by a new rule when the library has no anomaly."""


def anomaly_choices(library: AnomalyLibrary) -> tuple[AnomalyChoice, ...]:
    """Return every anomaly of a library, with what follows each of its buttons."""
    return tuple(
        AnomalyChoice(
            anomaly.id,
            anomaly.description,
            tuple((answer.button, _follow_ups(answer)) for answer in anomaly.answers),
        )
        for anomaly in library.anomalies
        if anomaly.id
    )


def _follow_ups(answer: DialogAnswer) -> str:
    """Describe what follows an answer: in the words of the library, or as the commands that run."""
    sentences = [
        follow_up.description or follow_up.message or (follow_up.command.text if follow_up.command else "")
        for follow_up in answer.follow_ups
    ]
    return ", ".join(filter(None, sentences)) or _("nothing follows")


def default_anomaly(library: AnomalyLibrary) -> str:
    """Return the id of the anomaly that a new rule injects: the first one of the library."""
    return next((anomaly.id for anomaly in library.anomalies if anomaly.id), _EXAMPLE_ANOMALY)


def uses_of(rules: Sequence[Rule]) -> Counter[str]:
    """Count the rules that inject each anomaly."""
    return Counter(
        anomaly_id for rule in rules for anomaly_id in {action.interference_id for action in rule.actions}
    )
