"""Proposed states as rules, so that the rule judge can follow them along recorded trajectories."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache
from typing import Any

import yaml

from collector.judge.evaluation.state_reach import StateReach, reach_of_states
from collector.judge.judged_trajectory import JudgedTrajectory
from collector.located_yaml.diagnostics import Severity
from collector.model.i18n import _
from collector.project_rules.project_rules import ProjectRules
from collector.rules.grammar.model import STATE, Group, Rule, RuleFile
from collector.rules.grammar.rule_reader import read_rules
from collector.states.documents.proposal import ProposedState
from collector.store.trajectory.reader import StoredTrajectory

_Dumper: type[Any] = getattr(yaml, "CSafeDumper", yaml.SafeDumper)


def rules_of_states(states: Iterable[ProposedState]) -> tuple[Rule, ...]:
    """The states as rules, in their order and under their ids."""
    entries = []
    for state in states:
        entry: dict[str, Any] = {"id": state.id, "description": state.sentence, "after": list(state.after)}
        entry |= {"optional": state.optional, "alternatives": list(state.alternatives)}
        entries.append(entry | ({"conditions": state.conditions} if state.conditions else {}))
    return _read(entries).rules


def conditions_of(conditions: Any) -> Group:
    """The conditions of an entry, read; equal conditions are equal however they are written."""
    return _group(yaml.dump(conditions, Dumper=_Dumper, allow_unicode=True)) if conditions else Group()


def condition_problem(conditions: Any) -> str:
    """What keeps conditions from being judged, in a sentence; empty when nothing does."""
    if not conditions:
        return ""
    if not isinstance(conditions, (list, dict)):
        return _("They have to be a list of conditions, or a group such as `all`")
    diagnostics = _read([{"id": "state", "conditions": conditions}]).diagnostics
    return next((item.what for item in diagnostics if item.severity is Severity.ERROR), "")


def reach_in(
    project: ProjectRules, stored: StoredTrajectory, states: Sequence[ProposedState]
) -> Mapping[str, StateReach]:
    """Where a trajectory reaches each of the states that have conditions, by the rule judge."""
    rules = rules_of_states(states)
    judged = JudgedTrajectory.of(stored, project.project.tasks, rules)
    views = (judged.view(index) for index in range(len(judged.steps)))
    return reach_of_states(rules, views, project.project.semantics, project.images, judged.steps)


@lru_cache(maxsize=512)
def _group(text: str) -> Group:
    rules = _read([{"id": "state", "conditions": yaml.safe_load(text)}]).rules
    return rules[0].conditions if rules else Group()


def _read(entries: list[dict[str, Any]]) -> RuleFile:
    text = yaml.dump({"states": entries}, Dumper=_Dumper, allow_unicode=True, sort_keys=False)
    return read_rules(text, "states.yaml", STATE)
