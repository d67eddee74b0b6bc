"""Completions in the file of an experiment: its keys, and the names of the project, anomalies and agents."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from collector.agents.kinds import AgentKind
from collector.model.i18n import _
from collector.model.phone_setup import VARIATION_NAMES
from collector.run.experiment import keys
from collector.run.experiment.keys import KEYS, KeySpec
from collector.run.experiment.model import BASELINE
from collector.run.experiment.scope import ExperimentScope
from rule_editor.document.completion.completions import Completion, ranked
from rule_editor.document.completion.cursor_context import CursorPlace, place_at

_WITHIN: Mapping[tuple[str, ...], str] = {
    (): keys.EXPERIMENT,
    ("tasks",): keys.SELECTION,
    ("agents",): keys.AGENT,
    ("conditions",): keys.CONDITION,
    ("conditions", "anomalies"): keys.INJECTION,
    ("seeds",): keys.SEED_RANGE,
    ("phones",): keys.PHONE,
}
"""What a mapping describes, by the keys that lead to it."""
_OPTIONS = ("agents", "options")
_LISTS = (keys.AGENTS, keys.CONDITIONS, keys.INJECTIONS)
"""Kinds of value whose items are words or mappings."""
_Candidate = tuple[str, str, str]
"""What is shown, its description, and what is written."""


def complete_experiment(text: str, offset: int, scope: ExperimentScope) -> tuple[Completion, ...]:
    """What can be typed at the character ``offset`` of an experiment, the best matches first."""
    place = place_at(text, offset)
    if place is None:
        return ()
    start, end = place.line.span
    return ranked(list(_candidates(place, scope)), place.line.prefix, start, end)


def _candidates(place: CursorPlace, scope: ExperimentScope) -> Iterator[_Candidate]:
    within, line = _WITHIN.get(place.keys), place.line
    if line.key is not None:
        spec = next((spec for spec in KEYS.get(within or "", ()) if spec.name == line.key), None)
        yield from _values(spec, scope) if spec is not None else _option_values(line.key, place, scope)
        return
    holder = _list_key(place)
    if holder is not None and (line.in_list or place.has_dash):
        yield from (item for item in _values(holder, scope) if item[0] not in line.items)
    if not line.in_list and (holder is None or holder.kind in _LISTS or not place.has_dash):
        yield from _keys(within, place, scope)


def _list_key(place: CursorPlace) -> KeySpec | None:
    """The key whose list the cursor is in, directly; None elsewhere."""
    if not place.keys:
        return None
    within = _WITHIN.get(place.keys[:-1], "")
    return next((spec for spec in KEYS.get(within, ()) if spec.name == place.keys[-1]), None)


def _keys(within: str | None, place: CursorPlace, scope: ExperimentScope) -> Iterator[_Candidate]:
    taken = place.siblings
    for spec in KEYS.get(within or "", ()):
        if spec.name not in taken:
            yield spec.name, _(spec.doc), f"{spec.name}: "
    kind = _kind(place, scope)
    if kind is not None and (within == keys.AGENT or place.keys == _OPTIONS):
        for option in kind.options:
            if option.name not in taken:
                yield option.name, _(option.description), f"{option.name}: "


def _kind(place: CursorPlace, scope: ExperimentScope) -> AgentKind | None:
    """The kind of the agent at the cursor, when it is written."""
    return scope.kinds.get(place.siblings.get("kind", ""))


def _option_values(name: str, place: CursorPlace, scope: ExperimentScope) -> Iterator[_Candidate]:
    kind = _kind(place, scope)
    option = next((option for option in kind.options if option.name == name), None) if kind else None
    if option is not None:
        words = option.choices or (("true", "false") if option.type is bool else ())
        yield from ((word, _(option.description), word) for word in words)


def _values(spec: KeySpec, scope: ExperimentScope) -> Iterator[_Candidate]:
    for word, doc in _words(spec, scope):
        yield word, doc, word


def _words(spec: KeySpec, scope: ExperimentScope) -> Iterator[tuple[str, str]]:
    """The words that a value can be, each with its description."""
    doc = _(spec.doc)
    for word in spec.choices or ({keys.FLAG: ("true", "false")}.get(spec.kind, ())):
        yield word, doc
    if spec.kind == keys.TASKS:
        yield keys.ALL, _("All tasks of the project")
    if spec.kind == keys.TASKS or spec.name == "except":
        yield from ((task.id, task.instruction) for task in scope.tasks.values())
    if spec.kind == keys.AGENTS or spec.name == "kind":
        yield from ((kind.id, _(kind.description or kind.title)) for kind in scope.kinds.values())
    if spec.kind == keys.CONDITIONS:
        yield BASELINE, _("Nothing is injected")
        yield keys.RULES_WORD, _("By the injection rules of the task, else of the project")
    if spec.kind == keys.RULES:
        yield keys.ALL, _("Those of the task, else all of the project")
    if spec.kind in (keys.CONDITIONS, keys.INJECTIONS) or spec.name == "anomaly":
        yield from ((anomaly.id, anomaly.description) for anomaly in scope.anomalies.values())
    if spec.kind in (keys.CONDITIONS, keys.RULES):
        yield from ((rule.id, rule.description) for rule in scope.injection_rules.values())
    if spec.name == "variations":
        yield from ((name, doc) for name in VARIATION_NAMES)
    if spec.example and not spec.choices and spec.kind in (keys.WHOLE, keys.SEEDS, keys.PHONES):
        yield spec.example, doc
