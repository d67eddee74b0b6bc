"""Anomalies as D-GARA's ``interference_library.yaml``: dialogs of its companion app, and their follow-ups."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from collector.anomalies import grammar
from collector.anomalies.anomaly_source import AnomalySource
from collector.anomalies.errors import Unsuitable
from collector.anomalies.model import COMPANION_KIND, Anomaly, FollowUp
from collector.anomalies.placeholders import fill, named_in, values_of
from collector.exchange.dgara.conditions import Plain
from collector.exchange.dgara.rules_export import ExportedFile, exported_file
from collector.exchange.exchange_log import NOTE, ExchangeLog
from collector.model.anomaly_terms import DISMISS, EVENT_PREFIX
from collector.model.companion.activities import ACTIVITIES, STYLE, TEXT
from collector.model.i18n import _
from collector.model.task import Task
from collector.rules.grammar.model import Rule
from collector.store.files import yaml_files
from collector.store.project.project import Project

_KEYS = ("id", "target_activity", "description", "params", "post_actions")
_HANDLED = ("kind", "follow_up", "family")
"""Keys that say nothing D-GARA does not know, or are written in another way."""
_FOLLOW_UP_KEYS = {kind: set(keys) for kind, keys in grammar.FOLLOW_UP_KEYS.items()}
_OURS = frozenset(
    (
        "param_hangs_at", "param_ends", "param_full_screen", "param_close_after_seconds", "param_close_size",
        "param_close_position",
    )
)  # fmt: skip
"""What our companion app reads for dialogs that D-GARA's has too."""
_ROOT = grammar.ROOTS[0]


def export_library(
    project: Project, rules: Iterable[Rule], tasks: Iterable[Task], log: ExchangeLog
) -> ExportedFile:
    """The anomalies of ``project``, and those of the studio that ``rules`` inject. Raises RuleError."""
    source = AnomalySource(project)
    if source.problem is not None:
        raise source.problem
    rules, path = list(rules), project.paths.library
    packages = _packages(rules, tasks)
    raws = _raw_entries(yaml_files.load(path) if path.is_file() else None)
    if path.is_file():
        log.written.rules.append(project.paths.relative(path))
    log.where = project.paths.relative(path) if path.is_file() else ""
    entries, written = [], set()
    for anomaly, raw in zip(source.library.anomalies, raws, strict=True):
        if (entry := _entry(anomaly, raw, packages.get(anomaly.id, set()), log)) is not None:
            entries.append(entry)
            written.add(anomaly.id)
    own = {anomaly.id for anomaly in source.library.anomalies}
    for anomaly_id in _injected(rules):
        anomaly_of_studio = None if anomaly_id in own else source.find(anomaly_id)
        if anomaly_of_studio is not None:
            entry = _entry(anomaly_of_studio, None, packages.get(anomaly_id, set()), log)
            if entry is not None:
                entries.append(entry)
                written.add(anomaly_id)
    _report_rules(rules, own - written, log)
    return exported_file([path], {_ROOT: entries}, log)


def _raw_entries(document: object) -> list[Mapping[str, Any]]:
    """The mappings of a library, in the order the reader has its anomalies."""
    if isinstance(document, Mapping):
        document = next((document[root] for root in grammar.ROOTS if root in document), None)
    return [entry for entry in document if isinstance(entry, Mapping)] if isinstance(document, list) else []


def _injected(rules: Iterable[Rule]) -> list[str]:
    return list(dict.fromkeys(action.interference_id for rule in rules for action in rule.actions))


def _packages(rules: Iterable[Rule], tasks: Iterable[Task]) -> dict[str, set[str]]:
    """By anomaly, the packages of the tasks whose rules inject it."""
    by_rule: dict[str, set[str]] = {}
    for task in tasks:
        for rule_id in task.target_rule_ids:
            by_rule.setdefault(rule_id, set()).add(task.package)
    packages: dict[str, set[str]] = {}
    for rule in rules:
        for action in rule.actions:
            packages.setdefault(action.interference_id, set()).update(by_rule.get(rule.id, ()))
    return packages


def _entry(
    anomaly: Anomaly, raw: Mapping[str, Any] | None, packages: set[str], log: ExchangeLog
) -> Plain | None:
    """The entry of one anomaly; None, with a finding, for a change of the device's own state."""
    if anomaly.kind != COMPANION_KIND:
        text = _("Anomalies were left out because D-GARA can only show dialogs of its companion app")
        log.add("anomaly-left-out", text, step=anomaly.id)
        return None
    activity = ACTIVITIES.get(anomaly.activity)
    if activity is not None and not activity.dgara:
        text = _("Anomalies were left out because D-GARA's companion app does not have their dialog")
        log.add("anomaly-left-out", text, step=f"{anomaly.id}: {anomaly.activity}")
        return None
    _report_keys(anomaly, raw, log)
    follow_ups = _FollowUps(anomaly, packages, log)
    entry: Plain = {}
    for key in raw if raw is not None else _KEYS:
        if key == "params":
            entry[key] = _params(anomaly, raw, follow_ups, log)
        elif key in ("post_actions", "follow_up"):
            if events := follow_ups.by_event(raw):
                entry["post_actions"] = events
            elif raw is not None and key == "post_actions":
                entry[key] = raw[key]
        elif key in _KEYS:
            value = raw[key] if raw is not None else _own_value(anomaly, key)
            if raw is not None or value:
                entry[key] = value
    return entry


def _own_value(anomaly: Anomaly, key: str) -> str:
    return {"id": anomaly.id, "target_activity": anomaly.activity, "description": anomaly.description}[key]


def _report_keys(anomaly: Anomaly, raw: Mapping[str, Any] | None, log: ExchangeLog) -> None:
    if raw is None:
        names = [
            name
            for name, value in (
                ("category", anomaly.category), ("language", anomaly.language), ("answer", anomaly.answer),
                ("risk", anomaly.risk), ("unsafe", anomaly.unsafe),
                ("android", str(anomaly.versions)), ("undo", anomaly.undo),
            )
            if value
        ]  # fmt: skip
    else:
        names = [key for key in raw if key not in _KEYS and key not in _HANDLED]
        names += ["family"] * (raw.get("family", anomaly.id) != anomaly.id)
    for name in names:
        text = _("D-GARA's library has no place for `{name}`", name=name)
        log.add("anomaly-key-lost", text, step=anomaly.id)


def _params(anomaly: Anomaly, raw: Mapping[str, Any] | None, follow_ups: _FollowUps, log: ExchangeLog) -> Any:
    """The texts D-GARA sends with a dialog, with an event for each button whose answer has a follow-up."""
    given = raw.get("params") if raw is not None else None
    if raw is not None and not isinstance(given, Mapping):
        return given
    params: Plain = {}
    for parameter in anomaly.parameters:
        written = given.get(parameter.name) if given is not None else parameter.value
        params[parameter.name] = parameter.value if isinstance(written, Mapping) else written
        if parameter.name in STYLE or parameter.name in _OURS:
            text = _("D-GARA's companion app takes no notice of `{name}`", name=parameter.name)
            log.add("anomaly-key-lost", text, step=anomaly.id)
        elif parameter.type != TEXT:
            text = _("D-GARA sends every parameter as a text, so the dialog takes no notice of numbers")
            log.add("parameter-as-text", text, step=f"{anomaly.id}: {parameter.name}")
    return params | follow_ups.added_events


class _FollowUps:
    """What follows the answers of one anomaly, by the event each button logs."""

    def __init__(self, anomaly: Anomaly, packages: set[str], log: ExchangeLog) -> None:
        self._anomaly, self._packages, self._log = anomaly, packages, log
        activity = ACTIVITIES.get(anomaly.activity)
        self._buttons = {button.answer: button for button in activity.buttons} if activity else {}
        self._events = {answer.name: answer.event for answer in anomaly.answers}
        self.added_events: Plain = {}
        """Parameters that name an event for a button that had none."""
        for name in anomaly.events:
            if name in self._buttons and not self._events.get(name):
                self._events[name] = f"{anomaly.id}_{name}".upper()
                self.added_events[self._buttons[name].event] = self._events[name]

    def by_event(self, raw: Mapping[str, Any] | None) -> Plain:
        """The follow-ups as ``post_actions``; those D-GARA cannot run go into the log."""
        written: Plain = {}
        for name, follow_ups in self._anomaly.events.items():
            key = name if name.startswith(EVENT_PREFIX) else self._key(name)
            if not key:
                text = _("D-GARA knows no follow-up of a dialog that is left without a button")
                self._log.add("follow-up-lost", text, step=self._anomaly.id)
                continue
            entries = self._raw(raw, name) or list(self._plain(follow_ups))
            written[key] = [*written.get(key, ()), *entries]
        return written

    def _key(self, answer: str) -> str:
        event = "" if answer == DISMISS else self._events.get(answer, "")
        return EVENT_PREFIX + event if event else ""

    def _raw(self, raw: Mapping[str, Any] | None, name: str) -> list[Plain]:
        """The entries of an answer as the file has them, if D-GARA runs them as they are."""
        post_actions = raw.get("post_actions") if raw is not None else None
        entries = post_actions.get(name) if isinstance(post_actions, Mapping) else None
        if not isinstance(entries, list) or (raw is not None and "follow_up" in raw):
            return []
        return entries if all(map(_is_plain, entries)) else []

    def _plain(self, follow_ups: tuple[FollowUp, ...]) -> Iterator[Plain]:
        for follow_up in follow_ups:
            plain: Plain = {"type": follow_up.type}
            if follow_up.command is not None:
                command = self._filled(follow_up.command.text)
                if not command:
                    continue
                plain["command"] = command
            elif follow_up.message:
                plain["message"] = follow_up.message
            if follow_up.description:
                plain["description"] = follow_up.description
            yield plain

    def _filled(self, command: str) -> str:
        """A command with its placeholders filled in; empty, with a finding, when D-GARA cannot run it."""
        package = next(iter(self._packages)) if len(self._packages) == 1 else ""
        try:
            filled = fill(command, values_of(self._anomaly, package=package))
        except Unsuitable:
            filled = command
        if command.startswith(grammar.CONSOLE) or named_in(filled):
            text = _("D-GARA cannot run a follow-up: {command}", command=command)
            self._log.add("follow-up-lost", text, step=self._anomaly.id)
            return ""
        if filled != command:
            text = _(
                "D-GARA fills in no names: a follow-up was written with its values, {command}", command=filled
            )
            self._log.add("follow-up-filled", text, step=self._anomaly.id, severity=NOTE)
        return filled


def _is_plain(entry: object) -> bool:
    """Whether D-GARA runs a follow-up as it is written."""
    if not isinstance(entry, Mapping) or entry.get("type") not in _FOLLOW_UP_KEYS:
        return False
    command = str(entry.get("command") or "")
    is_known = set(entry) <= _FOLLOW_UP_KEYS[entry["type"]]
    return is_known and not named_in(command) and not command.startswith(grammar.CONSOLE)


def _report_rules(rules: Iterable[Rule], left_out: set[str], log: ExchangeLog) -> None:
    for rule in rules:
        for action in rule.actions:
            if action.interference_id in left_out:
                text = _("Rules inject an anomaly that D-GARA does not have, and so inject nothing there")
                log.add("rule-injects-nothing", text, step=rule.id)
