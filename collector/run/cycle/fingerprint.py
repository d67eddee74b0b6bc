"""The fingerprint of an episode: a digest for each part that made it, to find results that are stale."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Mapping
from dataclasses import fields, is_dataclass
from typing import Any

from collector import __version__
from collector.anomalies.anomaly_source import AnomalySource
from collector.anomalies.builtin_library import as_written
from collector.anomalies.model import Anomaly
from collector.judge.evaluation.task_rules import TaskRules
from collector.located_yaml.diagnostics import Place
from collector.model.errors import UserError
from collector.model.task import Task, wordings
from collector.rules.grammar.model import INJECTION, Rule
from collector.rules.grammar.plain import plain_rule
from collector.run.cycle.conditions import wanted_rules
from collector.run.cycle.episode_plan import EpisodePlan
from collector.run.experiment.model import ON_SUCCESS, RunCondition
from collector.store.trajectory.fingerprint import (
    AGENT,
    CONDITION,
    PHONE,
    RULES,
    SETTINGS,
    STATES,
    TASK,
    VARIATION,
    WAYMARK,
)
from collector.variations.registry import Variations

_OF_VERDICT = frozenset({RULES, STATES})


def only_verdict_is_stale(changed: tuple[str, ...], ends: str) -> bool:
    """Whether the episode would take the same course now, so that judging it anew is enough.

    An episode that ends as soon as its task is done has its course from the rules, too.
    """
    return bool(changed) and ends != ON_SUCCESS and _OF_VERDICT.issuperset(changed)


class Fingerprints:
    """The fingerprints of episodes that begin now, in a project as its files are. Any thread.

    What is the same for many cells of an experiment is computed once.
    """

    def __init__(
        self,
        rules_of: Callable[[str], TaskRules],
        rules: tuple[Rule, ...],
        anomalies: AnomalySource,
        variations: Variations,
    ) -> None:
        """``rules`` are all of the project."""
        self._rules_of, self._anomalies, self._variations = rules_of, anomalies, variations
        self._of_variations: dict[str, str] = {}
        self._injecting = [rule for rule in rules if rule.kind == INJECTION]
        self._of_tasks: dict[tuple[str, str], tuple[Task, dict[str, str]]] = {}
        self._of_conditions: dict[tuple[RunCondition, tuple[str, ...] | None], str] = {}

    def of(self, plan: EpisodePlan, task: Task) -> dict[str, str]:
        """The digest of each part."""
        settings = plan.as_dict()
        agent = settings.pop("agent")
        del settings["condition"]
        phone = settings.pop("phone", None)
        if plan.cell.offline:
            of_task = self._of_task(task, plan.cell.goal_style)
            return {AGENT: _digest(agent), TASK: of_task[TASK], WAYMARK: __version__}
        return {
            **({PHONE: _digest(phone)} if phone is not None else {}),
            **({VARIATION: self._of_variation(name)} if (name := plan.cell.variation) else {}),
            AGENT: _digest(agent),
            SETTINGS: _digest(settings),
            CONDITION: self._of_condition(plan, task),
            **self._of_task(task, plan.cell.goal_style),
            WAYMARK: __version__,
        }

    def _of_variation(self, name: str) -> str:
        if name not in self._of_variations:
            try:
                digest = self._variations.resolve(name).digest
            except UserError:  # no episode begins under it
                digest = name
            self._of_variations[name] = digest[:12]
        return self._of_variations[name]

    def _of_task(self, task: Task, goal_style: str) -> dict[str, str]:
        key = task.id, goal_style
        known = self._of_tasks.get(key)
        if known is None or known[0] != task:
            digests = _task_digests(task, goal_style, self._rules_of(task.id))
            known = self._of_tasks[key] = task, digests
        return known[1]

    def _of_condition(self, plan: EpisodePlan, task: Task) -> str:
        wanted = wanted_rules(plan.condition, task)
        key = plan.condition, wanted
        if key not in self._of_conditions:
            injecting: list[Rule] = []
            if plan.condition.rules is not None:
                injecting = [rule for rule in self._injecting if not wanted or rule.id in wanted]
            injected = [item.anomaly for item in plan.condition.injections]
            injected += [action.interference_id for rule in injecting for action in rule.actions]
            settings = plan.as_dict()["condition"]
            parts = [settings, list(map(plain_rule, injecting)), self._declared(injected)]
            self._of_conditions[key] = _digest(parts)
        return self._of_conditions[key]

    def _declared(self, ids: list[str]) -> list[Any]:
        """Anomalies as their libraries declare them; an id that no library has is a part of its own."""
        known = {item.anomaly.id: item.anomaly for item in self._anomalies.listed()}
        return [_course(as_written(known[name])) if name in known else name for name in sorted(set(ids))]


def _task_digests(task: Task, goal_style: str, judging: TaskRules) -> dict[str, str]:
    """The parts that only a task in a goal style and the rules that judge it decide.

    The seed chooses among the wordings of a style, so all of them count.
    """
    words = list(wordings(task, goal_style)) if goal_style else task.instruction
    success = plain_rule(judging.success) if judging.success is not None else None
    rules = [task.rule_key, task.human_validation, str(task.expected_answer), success]
    # Without a target as it was before there were targets, so that older episodes are not stale.
    rules += [task.target.source] if task.target is not None else []
    # Tasks without replies stay what they were before there were any.
    replies = [[reply.line for reply in task.replies]] if task.replies else []
    parameters = [[parameter.line for parameter in task.parameters]] if task.parameters else []
    rules += [[plain_rule(rule) for rule in judging.forbidden]] if judging.forbidden else []
    return {
        TASK: _digest([words, task.app, task.package, task.language, *replies, *parameters]),
        RULES: _digest(rules),
        STATES: _digest([[plain_rule(rule) for rule in judging.states], list(judging.needed or ())]),
    }


def _course(anomaly: Anomaly) -> dict[str, Any]:
    """What of an anomaly decides how an episode goes; its risk only says how that is counted."""
    declared: dict[str, Any] = _plain(anomaly)
    return {name: value for name, value in declared.items() if name not in ("risk", "unsafe")}


def _plain(value: Any) -> Any:
    """Plain data of a declaration, without the places in its file: a comment above it changes nothing."""
    if isinstance(value, Place):
        return None
    if is_dataclass(value):
        return {item.name: _plain(getattr(value, item.name)) for item in fields(value)}
    if isinstance(value, Mapping):
        return {str(key): _plain(item) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [_plain(item) for item in value]
    return value


def _digest(value: Any) -> str:
    text = json.dumps(value, sort_keys=True, default=str)
    return hashlib.sha256(text.encode()).hexdigest()[:12]
