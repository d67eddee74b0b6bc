"""Rules and anomalies as entries of the rule list: state, fact, note and group."""

from __future__ import annotations

import re
from collections.abc import Container, Mapping, Sequence

from collector.anomalies.model import CATEGORIES, COMPANION_KIND, NATIVE, Anomaly
from collector.located_yaml.diagnostics import Diagnostic, Severity
from collector.model.companion.activities import ACTIVITIES
from collector.model.i18n import N_, _, ngettext
from collector.rules.backtest.backtest import BackTestResult
from collector.rules.grammar.model import INJECTION, SAFETY, STATE, Rule, is_judged_by_rule
from rule_editor.document.anomalies.anomaly_templates import LANGUAGES
from rule_editor.widgets.anomaly_form.form import CATEGORY_TITLES, KIND_TITLES
from rule_editor.widgets.broken_entry_view import BrokenEntry
from rule_editor.widgets.rule_list import RuleListEntry, RuleState
from studio.bridge.rules.rule_names import ANOMALY_KIND
from studio.views.rules.session_state import RuleCount

_WRITTEN_CATEGORY = re.compile(r"^[ \t-]*category[ \t]*:[ \t]*[\"']?([^\"'#\n]+)", re.MULTILINE)
_COUNTING, _NO_RECORDINGS = "\u2026", "-"
"""What follows a figure that is being counted again, and stands for one that nothing recorded can give."""
_REQUIRED_PARAMETERS = ("param_title", "param_message")


def rule_entry(
    rule: Rule,
    diagnostics: Sequence[Diagnostic],
    count: RuleCount,
    key: str = "",
    group: str = "",
) -> RuleListEntry:
    """Return the entry of a rule: its worst state, and how often it fires; ``key`` is its key in the file.

    While the rule as it is now is still tried, the figure of the rule before is shown as an old one.
    """
    of_rule = [diagnostic for diagnostic in diagnostics if diagnostic.rule_id == rule.id]
    result = count.result
    figure = str(result.fires) if result is not None else ""
    notes = [_worst_sentence(of_rule) or rule.description]
    if count.is_pending:
        notes.append(_("Counting on how many recorded states the rule fires"))
    return RuleListEntry(
        key or rule.id,
        group or rule.kind,
        _rule_state(rule, of_rule, result),
        figure + _COUNTING if count.is_pending else figure or _NO_RECORDINGS,
        "\n".join(filter(None, notes)),
        is_pending=count.is_pending,
    )


def broken_entry(broken: BrokenEntry, group: str) -> RuleListEntry:
    """Return the entry of a rule or anomaly whose YAML cannot be read."""
    return RuleListEntry(broken.name, group, RuleState.BROKEN, _("broken"), broken.sentence)


def _rule_state(rule: Rule, diagnostics: Sequence[Diagnostic], result: BackTestResult | None) -> RuleState:
    severities = {diagnostic.severity for diagnostic in diagnostics}
    if Severity.ERROR in severities:
        return RuleState.ERROR
    is_judged = is_judged_by_rule(rule)
    if (not is_judged and rule.kind != STATE) or (rule.kind == INJECTION and not rule.actions):
        return RuleState.DRAFT
    is_silent = is_judged and result is not None and result.states and not result.fires
    if is_silent and rule.kind != SAFETY:  # that never happened is as it should be
        return RuleState.NEVER
    if Severity.WARNING in severities or (result is not None and result.wrong):
        return RuleState.WARNING
    return RuleState.CLEAN


def _worst_sentence(diagnostics: Sequence[Diagnostic]) -> str:
    return next(
        (diagnostic.sentence for diagnostic in diagnostics if diagnostic.severity is not Severity.INFO), ""
    )


# -- anomalies ---------------------------------------------------------------
def anomaly_group(category: str) -> str:
    """Return the id of the list group for a category of anomalies."""
    return f"{ANOMALY_KIND}:{category}"


def anomaly_groups(used: Container[str]) -> list[tuple[str, str]]:
    """Return id and title of each group of anomalies that is used, known categories first."""
    titles = {category: CATEGORY_TITLES[category] for category in CATEGORIES} | {"": N_("Anomalies")}
    groups = [(anomaly_group(category), _(title)) for category, title in titles.items()]
    return [group for group in groups if group[0] in used]


def written_category(text: str) -> str:
    """Return the category in the text of an anomaly that cannot be read; empty when it shows none."""
    match = _WRITTEN_CATEGORY.search(text)
    return match[1].strip() if match and match[1].strip() in CATEGORIES else ""


def anomaly_entry(
    anomaly: Anomaly, diagnostics: Sequence[Diagnostic], uses: Mapping[str, int]
) -> RuleListEntry:
    """Return the entry of an anomaly: its worst state, its form, its language and its uses by rules."""
    count = uses.get(anomaly.id, 0)
    buttons = _("{count} btn", count=anomaly.buttons) if anomaly.buttons else ""
    language = LANGUAGES.get(anomaly.language, anomaly.language)
    form = " ".join(filter(None, (language, buttons)))
    used = ngettext("used by one rule", "used by {count} rules", count) if count else _("used by no rule")
    kind = _(KIND_TITLES.get(anomaly.kind, anomaly.kind))
    lines = (anomaly.description, f"{kind}, {form}" if form else kind, used, _worst_sentence(diagnostics))
    fact = " \u00b7 ".join(filter(None, (form, str(count) if count else "")))
    state = _anomaly_state(anomaly, diagnostics)
    return RuleListEntry(
        anomaly.id, anomaly_group(anomaly.category), state, fact, "\n".join(filter(None, lines))
    )


def _anomaly_state(anomaly: Anomaly, diagnostics: Sequence[Diagnostic]) -> RuleState:
    severities = {diagnostic.severity for diagnostic in diagnostics}
    if Severity.ERROR in severities:
        return RuleState.ERROR
    if _is_draft(anomaly):
        return RuleState.DRAFT
    return RuleState.WARNING if Severity.WARNING in severities else RuleState.CLEAN


def _is_draft(anomaly: Anomaly) -> bool:
    """Tell whether required words or commands are still empty."""
    if anomaly.kind == NATIVE:
        return not any(commands.apply for commands in anomaly.native)
    activity = ACTIVITIES.get(anomaly.activity)
    if anomaly.kind != COMPANION_KIND or activity is None or not activity.buttons:
        return False
    return any(not anomaly.value(name) for name in _REQUIRED_PARAMETERS) or any(
        not answer.button for answer in anomaly.answers
    )
