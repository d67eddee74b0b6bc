"""Essential states as MobiFlow's milestones: a YAML file of nodes for each task.

The conditions are those of its ``avdag/conditions.py``, and the keys of a node those that our own reader
knows. ``after`` becomes ``deps``; a state that waits for one of several is named by their ``next``.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import yaml

from collector.exchange.exchange_log import NOTE, ExchangeLog
from collector.exchange.exports.exported_part import ExportedPart
from collector.exchange.format import FOR_BENCHMARKS, STATES, TASKS, Format
from collector.exchange.source.states import REACHED
from collector.hierarchy.errors import HierarchyError
from collector.hierarchy.selectors import parse_selector
from collector.model.essential_state import EssentialState
from collector.model.i18n import N_, _
from collector.model.task import Task
from collector.store.files.names import folder_name

FOLDER = "tasks"
_ACTIONS = {
    "tap": "click", "long_press": "long_press", "double_tap": "double_click", "type": "input",
    "swipe": "swipe", "scroll": "scroll", "drag": "drag", "wait": "wait", "complete": "done",
    "open_app": "open_app", "key": "press",
}  # fmt: skip
_WORDS, _IDS, _PATTERN, _ACTION = "text_match", "xml_text_match", "regex_match", "action_match"
_SHORT = {_WORDS: "text", _IDS: "xml", _PATTERN: "regex", _ACTION: "action"}
"""Keys of a check inside one that joins several."""
_ANY = "escalate"
_SHOWN = ("text", "content-desc")
_Plain = dict[str, Any]


class _NoCheckError(ValueError):
    """Why a condition is none of MobiFlow's."""


def _write(part: ExportedPart, path: Path, log: ExchangeLog) -> None:
    (path / FOLDER).mkdir(parents=True)
    states = part.project.states
    for task in part.tasks:
        log.where = task.id
        if flow := _Flow(task, states, log).document():
            text = yaml.safe_dump(flow, sort_keys=False, allow_unicode=True, width=100)
            target = path / FOLDER / f"{folder_name(task.id)}.yaml"
            target.write_bytes(text.encode("utf-8", "replace"))
            log.written.tasks.append(task.id)
        else:
            log.add("no-states", _("The task names no essential state, and was left out"))
    log.where = ""
    text_ = _("MobiFlow's files have milestones alone; instructions and apps are only in the project")
    log.add("states-alone", text_, severity=NOTE)


class _Flow:
    """The milestones of one task, with all states that they wait for or may be replaced by."""

    def __init__(self, task: Task, states: Mapping[str, EssentialState], log: ExchangeLog) -> None:
        self._task, self._states, self._log = task, states, log
        self._next: dict[str, list[str]] = {}
        """By state those that wait for it or for another one."""

    def document(self) -> _Plain:
        """The file of the task; empty when it names no state that is defined."""
        named = [name for name in self._task.essential_states if name in self._states]
        nodes = [self._node(state) for state in self._reached_from(named)]
        if not nodes:
            return {}
        for node in nodes:
            if later := self._next.get(node["id"]):
                node["next"] = later
        alternatives = [name for name in self._states[named[0]].alternatives if name in self._states]
        any_of = [*named, *alternatives] if len(named) == 1 else []
        success = {"any_of": any_of} if any_of else {"all_of": named}
        return {"task_id": self._task.id, "nodes": nodes, "success": success}

    def _reached_from(self, named: Sequence[str]) -> Iterator[EssentialState]:
        waiting, seen = list(named), set()
        while waiting:
            name = waiting.pop(0)
            if name in seen or name not in self._states:
                continue
            seen.add(name)
            state = self._states[name]
            waiting += [*state.after, *state.alternatives, *_one_of(_plain_conditions(state))]
            yield state

    def _node(self, state: EssentialState) -> _Plain:
        node: _Plain = {"id": state.id, "name": state.label}
        if state.after:
            node["deps"] = [name for name in state.after if name in self._states]
        conditions = _plain_conditions(state)
        if earlier := _one_of(conditions):
            conditions = conditions[1:]
            for name in earlier:
                self._next.setdefault(name, []).append(state.id)
        self._report(state)
        if conditions:
            try:
                node["condition"] = self._condition(conditions, state)
            except (_NoCheckError, KeyError, TypeError, AttributeError) as error:
                said = _(
                    "MobiFlow has no word for a condition: its state is left to people: {why}", why=error
                )
                self._log.add("state-lost", said, step=state.id)
        return node

    def _report(self, state: EssentialState) -> None:
        if state.optional:
            self._log.add("optional-lost", _("MobiFlow knows no optional states"), step=state.id)
        if state.alternatives and self._task.essential_states != (state.id,):
            text = _("MobiFlow has no place for alternatives of a state that is not the only one named")
            self._log.add("alternatives-lost", text, step=state.id)

    def _condition(self, conditions: Sequence[_Plain], state: EssentialState) -> _Plain:
        """One condition for several that must hold together."""
        if len(conditions) == 1 and "all" in conditions[0]:
            return self._condition(conditions[0]["all"], state)
        if len(conditions) == 1 and "any" in conditions[0]:
            checks = [self._check(each, state) for each in conditions[0]["any"]]
            return _joined(checks, "any", _ANY)
        checks = []
        for each in conditions:
            try:
                checks.append(self._check(each, state))
            except (_NoCheckError, KeyError, TypeError) as error:
                if len(conditions) == 1:
                    raise
                text = _(
                    "A part of a condition was left out, for which MobiFlow has no word: {why}", why=error
                )
                self._log.add("condition-weakened", text, step=state.id)
        return _joined(checks, "all", "juxtaposition")

    def _check(self, condition: _Plain, state: EssentialState) -> tuple[str, _Plain]:
        """Type and parameters of a condition that is no group. Raises _NoCheckError."""
        kind = str(condition.get("type") or "")
        match kind:
            case "text_matches":
                return _matched(str(condition["pattern"]))
            case "semantic_element_exists":
                return _IDS, {"all": [str(word) for word in condition["keywords"]]}
            case "action_was":
                return _ACTION, _action(condition)
            case "element_exists" | "element_text_equals" | "element_text_contains":
                words = _words(condition)
                if not words:
                    raise _NoCheckError(kind)
                text = _("MobiFlow looks for words anywhere on the screen, not in a certain element")
                self._log.add("condition-weakened", text, step=state.id)
                return _WORDS, {"all": words}
        raise _NoCheckError(kind or "any, all")


def _plain_conditions(state: EssentialState) -> list[_Plain]:
    given = state.extra.get("conditions")
    if isinstance(given, Mapping):
        return [dict(given)]
    return [dict(each) for each in given if isinstance(each, Mapping)] if isinstance(given, list) else []


def _one_of(conditions: Sequence[_Plain]) -> list[str]:
    """States of which one must be reached before, when the first condition says nothing else."""
    group = conditions[0].get("any") if conditions else None
    is_plain = isinstance(group, list) and all(
        isinstance(each, Mapping) and each.get("type") == REACHED for each in group
    )
    return [str(each["state"]) for each in group] if is_plain and group else []


def _matched(pattern: str) -> tuple[str, _Plain]:
    """Words when a pattern is nothing else; ``(?i)`` is a parameter of its own."""
    plain = re.sub(r"\\(.)", r"\1", pattern)
    if re.escape(plain) == pattern:
        return _WORDS, {"all": [plain]}
    if pattern.startswith("(?i)"):
        return _PATTERN, {"pattern": pattern.removeprefix("(?i)"), "ignore_case": True}
    return _PATTERN, {"pattern": pattern}


def _action(condition: Mapping[str, Any]) -> _Plain:
    kind, text = _ACTIONS[str(condition["action"])], condition.get("text")
    if kind == "press" and text in ("back", "home"):
        return {"type": text}
    return {"type": kind} if text is None else {"type": kind, "contains": {"text": str(text)}}


def _words(condition: Mapping[str, Any]) -> list[str]:
    """The words that a selector or a text names."""
    if isinstance(condition.get("text"), str):
        return [condition["text"]]
    try:
        compound = parse_selector(str(condition.get("selector") or "")).compound
    except HierarchyError:
        return []
    terms = compound.terms if compound is not None else ()
    return [term.value for term in terms if term.attribute in _SHOWN and term.value]


def _joined(checks: Sequence[tuple[str, _Plain]], how: str, joined: str) -> _Plain:
    """One condition of several checks: words of a kind go together, other kinds may be there once."""
    params: dict[str, _Plain] = {}
    for kind, values in checks:
        words = values.get("all")
        can_join = words is not None and (how == "all" or len(words) == 1)
        if kind not in params:
            params[kind] = {how: list(words)} if words is not None and can_join else values
        elif words is not None and can_join and how in params[kind]:
            params[kind][how] += words
        else:
            raise _NoCheckError(_("two of {kind}", kind=kind))
    if not params:
        raise _NoCheckError(_("nothing that it could look for"))
    if len(params) == 1:
        kind, values = next(iter(params.items()))
        return {"type": kind, "params": values}
    if joined == _ANY and _IDS in params:  # its code passes over it there
        raise _NoCheckError(_IDS)
    return {"type": joined, "params": {_SHORT[kind]: values for kind, values in params.items()}}


FORMAT = Format(
    id="mobiflow",
    title=N_("MobiFlow milestones"),
    use=FOR_BENCHMARKS,
    holds=(TASKS, STATES),
    files=N_("A YAML file of milestones for each task; `states import` reads them"),
    write=_write,
    entries=(FOLDER,),
)
