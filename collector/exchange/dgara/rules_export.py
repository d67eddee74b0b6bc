"""Rules as D-GARA's ``rules.yaml`` and ``success_conditions.yaml``.

A rule that D-GARA's engine would read as another one is left out and named. A file that needs no change
is copied with its comments; otherwise the rules of all files become one file.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from collector.exchange.dgara.conditions import (
    NotInDgara,
    Plain,
    engine_conditions,
    finds_nothing,
    validator_conditions,
)
from collector.exchange.exchange_log import NOTE, ExchangeLog
from collector.exchange.exports.fixed_tasks import fixed_values
from collector.located_yaml.yaml_patch import documents
from collector.model.i18n import _
from collector.rules.grammar.model import DGARA, INJECTION, SAFETY, STATE, SUCCESS, Condition, Rule, RuleFile
from collector.rules.grammar.rule_files import read_rule_text, read_text
from collector.rules.grammar.rule_values import with_values
from collector.store.files import yaml_files
from collector.store.project.project import Project

_RULE_KEYS = ("id", "description", "priority", "once", "conditions", "actions")
_ACTION_KEYS = ("type", "interference_id", "trigger_probability")
_SUCCESS_KEYS = ("description", "conditions")
_FIRST_MATCH = (
    "element_property", "element_property_contains", "element_text_equals", "element_text_contains",
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class ExportedFile:
    """A YAML file for D-GARA: its bytes, and the plain values in it."""

    data: bytes
    document: Any


@dataclass(frozen=True, slots=True)
class ExportedRules:
    """The rules as D-GARA reads them, and the injection rules among them."""

    injection: ExportedFile
    success: ExportedFile
    rules: tuple[Rule, ...]
    """The injection rules that were written."""


def export_rules(project: Project, log: ExchangeLog) -> ExportedRules:
    """The rule files of ``project`` for D-GARA. Raises RuleError when a file cannot be read."""
    files = {path: read_rule_text(path).file for path in project.paths.rule_files()}
    log.where = ""
    _report_lost_rules(files.values(), log)
    is_dgara = project.semantics == DGARA
    written: list[Rule] = []
    rules: list[Plain] = []
    for rule in _rules(project, files, INJECTION, log):
        if (plain := _said(rule, log, _injection_rule, is_dgara=is_dgara)) is not None:
            rules.append(plain)
            written.append(rule)
    conditions = {
        rule.id: plain
        for rule in _with_values(_rules(project, files, SUCCESS, log), project, log)
        if (plain := _said(rule, log, _success_rule, is_dgara=is_dgara)) is not None
    }
    _report_readings(written, conditions, files, log, is_dgara=is_dgara)
    injection = exported_file(_paths(files, INJECTION), {"rules": rules}, log)
    return ExportedRules(injection, exported_file(_paths(files, SUCCESS), conditions, log), tuple(written))


def exported_file(paths: Iterable[Path], document: Any, log: ExchangeLog) -> ExportedFile:
    """``document`` as the one file of ``paths`` has it, comments included, or written anew."""
    known = [path for path in paths if path.is_file()]
    for path in known if len(known) == 1 else ():
        data = read_text(path).encode()
        if yaml_files.parse(data, path.name) == document:
            return ExportedFile(data, document)
    if known:
        names = ", ".join(path.name for path in known)
        log.add(
            "written-anew",
            _("{names} was written anew, without its comments and its layout", names=names),
            severity=NOTE,
        )
    return ExportedFile(documents.new_document(document).encode(), document)


def _paths(files: dict[Path, RuleFile], kind: str) -> list[Path]:
    return [path for path, file in files.items() if file.kind == kind and file.rules]


def _rules(project: Project, files: dict[Path, RuleFile], kind: str, log: ExchangeLog) -> Iterator[Rule]:
    """The rules of a kind that have an id; of several with one id the last, as D-GARA reads them."""
    found: dict[str, Rule] = {}
    for path, file in files.items():
        if file.kind != kind:
            continue
        log.written.rules.append(project.paths.relative(path))
        for rule in file.rules:
            if not rule.id:
                log.add("rule-without-id", _("A rule without an id was left out"))
            elif rule.id in found:
                log.add(
                    "rule-twice", _("Two rules have the same id; only the last one was kept"), step=rule.id
                )
            if rule.id:
                found[rule.id] = rule
    yield from found.values()


def _with_values(rules: Iterable[Rule], project: Project, log: ExchangeLog) -> Iterator[Rule]:
    """Success rules with the values that the task list has of the parameters of their tasks."""
    values: dict[str, set[frozenset[tuple[str, str]]]] = {}
    for task in project.tasks:
        values.setdefault(task.rule_key, set()).add(frozenset(fixed_values(task).items()))
    for rule in rules:
        each = [with_values(rule, dict(given)) for given in values.get(rule.id, ())]
        filled = {repr(made.raw): made for made in each}
        if len(filled) > 1:
            text = _("Rules were left out because several tasks have them, each with other values")
            log.add("rule-left-out", text, step=rule.id)
        else:
            yield next(iter(filled.values()), rule)


def _said(rule: Rule, log: ExchangeLog, say: Callable[..., Plain], *, is_dgara: bool) -> Plain | None:
    """The rule in D-GARA's words; None, with a finding, when it has none."""
    try:
        return say(rule, log, is_dgara=is_dgara)
    except NotInDgara as error:
        text = _("Rules were left out because D-GARA cannot say {what}", what=error)
        log.add("rule-left-out", text, step=rule.id)
        return None


def _injection_rule(rule: Rule, log: ExchangeLog, *, is_dgara: bool) -> Plain:
    plain: Plain = {key: rule.raw[key] for key in rule.raw if key in _RULE_KEYS}
    _report_keys(rule, rule.raw, _RULE_KEYS, log)
    if rule.conditions.conditions and not is_dgara:
        plain["conditions"] = {"all": engine_conditions(rule.conditions)}
    if rule.actions:
        plain["actions"] = [
            {key: action.raw[key] for key in action.raw if key in _ACTION_KEYS} for action in rule.actions
        ]
    for action in rule.actions:
        _report_keys(rule, action.raw, _ACTION_KEYS, log)
    return plain


def _success_rule(rule: Rule, log: ExchangeLog, *, is_dgara: bool) -> Plain:
    plain: Plain = {key: rule.raw[key] for key in rule.raw if key in _SUCCESS_KEYS}
    _report_keys(rule, rule.raw, _SUCCESS_KEYS, log)
    if rule.conditions.conditions and not is_dgara:
        plain["conditions"] = validator_conditions(rule.conditions)
    return plain


def _report_keys(rule: Rule, raw: Plain, known: tuple[str, ...], log: ExchangeLog) -> None:
    for key in raw:
        if key not in known:
            text = _("D-GARA's rules have no place for `{name}`", name=key)
            log.add("rule-key-lost", text, step=rule.id)


def _report_lost_rules(files: Iterable[RuleFile], log: ExchangeLog) -> None:
    lost = {
        STATE: ("states-lost", _("D-GARA has no essential states")),
        SAFETY: ("safety-rules-lost", _("D-GARA has no safety rules")),
    }
    for file in files:
        for rule in file.rules if file.kind in lost else ():
            log.add(*lost[file.kind], step=rule.id)


def _report_readings(
    injection: list[Rule],
    success: dict[str, Plain],
    files: dict[Path, RuleFile],
    log: ExchangeLog,
    *,
    is_dgara: bool,
) -> None:
    """Report the rules that D-GARA's engine reads in another way than this project does."""
    for rule in injection:
        if any(action.trigger_probability < 1 for action in rule.actions):
            text = _("D-GARA draws a number up to 2: it injects half as often as `trigger_probability` says")
            log.add("probability-halved", text, step=rule.id)
    if is_dgara:
        return
    found = {rule.id: rule for file in files.values() if file.kind == SUCCESS for rule in file.rules}
    for rule_id in success:
        tests = [
            condition for condition in found[rule_id].conditions.walk() if hasattr(condition, "selector")
        ]
        if any(map(_finds_nothing, tests)):
            text = _("D-GARA cannot read the selector of a rule and never finds its node")
            log.add("selector-unread", text, step=rule_id)
        if any(condition.type in _FIRST_MATCH for condition in tests):
            text = _("D-GARA looks only at the first node that a selector finds, this project at all of them")
            log.add("first-match", text, step=rule_id, severity=NOTE)


def _finds_nothing(condition: Condition) -> bool:
    return finds_nothing(str(getattr(condition, "selector", "")))
