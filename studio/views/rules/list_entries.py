"""The anomalies of a library file, as the rule form and the list offer them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence

from collector.anomalies.grammar import ACTIVITIES
from collector.anomalies.model import (
    CATEGORIES,
    COMPANION_KIND,
    NATIVE,
    Anomaly,
    AnomalyLibrary,
    DialogAnswer,
)
from collector.located_yaml.diagnostics import Diagnostic, Severity
from collector.model.i18n import _, ngettext
from collector.rules.grammar.model import Rule
from rule_editor.document.anomalies.anomaly_templates import LANGUAGES
from rule_editor.widgets.anomaly_form.form import CATEGORY_WORDS, KIND_WORDS
from rule_editor.widgets.rule_form.action_box import AnomalyChoice
from rule_editor.widgets.rule_list import RuleListEntry, RuleState

GROUP = "anomaly"
_MEANT = ("param_title", "param_message")


def anomalies_of(library: AnomalyLibrary) -> tuple[AnomalyChoice, ...]:
    """Every anomaly of a library, with what follows each of its buttons."""
    return tuple(
        AnomalyChoice(
            anomaly.id, anomaly.description, tuple((each.button, _told(each)) for each in anomaly.answers)
        )
        for anomaly in library.anomalies
        if anomaly.id
    )


def _told(answer: DialogAnswer) -> str:
    """What follows, in the words of the library, else as the command it is."""
    said = [
        one.description or one.message or (one.command.text if one.command else "")
        for one in answer.follow_ups
    ]
    return ", ".join(one for one in said if one) or _("nothing follows")


def uses_of(rules: Sequence[Rule]) -> Counter[str]:
    """How many rules inject each anomaly."""
    return Counter(one for rule in rules for one in {action.interference_id for action in rule.actions})


def groups_of(library: AnomalyLibrary) -> list[tuple[str, str]]:
    """A group of the list for each category the library has, those it names first."""
    there = {anomaly.category for anomaly in library.anomalies}
    named = [(group_of(one), _(CATEGORY_WORDS[one]))
             for one in CATEGORIES if one in there]  # fmt: skip
    return [*named, *([(group_of(""), _("Anomalies"))] if "" in there else [])]


def group_of(category: str) -> str:
    """Id of the list's group for a category."""
    return f"{GROUP}:{category}"


def is_anomaly(group: str) -> bool:
    """Whether a group of the list holds anomalies."""
    return group.partition(":")[0] == GROUP


def entry_of_anomaly(one: Anomaly, found: Sequence[Diagnostic], uses: Mapping[str, int]) -> RuleListEntry:
    """How an anomaly stands in the list: the worst that can be said of it, its form and its language."""
    count = uses.get(one.id, 0)
    buttons = _("{count} btn", count=one.buttons) if one.buttons else ""
    form = " ".join(part for part in (LANGUAGES.get(one.language, one.language), buttons) if part)
    used = ngettext("used by one rule", "used by {count} rules", count) if count else _("used by no rule")
    kind = _(KIND_WORDS.get(one.kind, one.kind))
    worst = next((each.sentence for each in found if each.severity is not Severity.INFO), "")
    told = [one.description, f"{kind}, {form}" if form else kind, used, worst]
    fact = " \u00b7 ".join(part for part in (form, str(count) if count else "") if part)
    return RuleListEntry(
        one.id, group_of(one.category), _state(one, found), fact, "\n".join(filter(None, told))
    )


def _state(one: Anomaly, found: Sequence[Diagnostic]) -> RuleState:
    if any(each.severity is Severity.ERROR for each in found):
        return RuleState.ERROR
    if _is_draft(one):
        return RuleState.DRAFT
    return RuleState.WARNING if any(each.severity is Severity.WARNING for each in found) else RuleState.CLEAN


def _is_draft(one: Anomaly) -> bool:
    """Whether words or commands it cannot do without are still to be written."""
    if one.kind == NATIVE:
        return not any(each.apply for each in one.native)
    known = ACTIVITIES.get(one.activity)
    if one.kind != COMPANION_KIND or known is None or not known.buttons:
        return False
    return any(not one.value(name) for name in _MEANT) or any(not each.button for each in one.answers)
