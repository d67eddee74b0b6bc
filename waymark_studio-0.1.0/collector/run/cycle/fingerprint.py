"""The fingerprint of an episode: a digest for each part that made it, to find results that are stale."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from dataclasses import fields, is_dataclass
from typing import Any

from collector import __version__
from collector.anomalies.anomaly_source import AnomalySource
from collector.judge.evaluation.task_rules import TaskRules
from collector.located_yaml.diagnostics import Place
from collector.model.episode import Episode
from collector.model.i18n import N_, _
from collector.model.task import Task
from collector.rules.grammar.model import INJECTION, Rule
from collector.rules.grammar.plain import plain_rule
from collector.run.cycle.conditions import wanted_rules
from collector.run.cycle.episode_plan import EpisodePlan
from collector.run.experiment.model import ON_SUCCESS

FINGERPRINT = "fingerprint"
"""Key of ``episode.extra`` with the digest of each part."""
AGENT, SETTINGS, TASK, CONDITION, RULES, STATES, WAYMARK = (
    "agent", "settings", "task", "condition", "rules", "states", "waymark",
)  # fmt: skip
PARTS: Mapping[str, str] = {
    AGENT: N_("the agent"),
    SETTINGS: N_("the settings of the experiment"),
    TASK: N_("the task"),
    CONDITION: N_("the anomalies and the rules that inject them"),
    RULES: N_("the success rule"),
    STATES: N_("the essential states"),
    WAYMARK: N_("the version of Waymark"),
}
"""What made an episode, as a person reads it, in the order in which it is named."""
_OF_VERDICT = frozenset({RULES, STATES})


def part_title(part: str) -> str:
    """What a part is called."""
    return _(PARTS[part]) if part in PARTS else part


def stored_fingerprint(episode: Episode | None) -> dict[str, str]:
    """The fingerprint that a stored episode holds; empty when it holds none."""
    parts = episode.extra.get(FINGERPRINT) if episode is not None else None
    return {str(part): str(digest) for part, digest in parts.items()} if isinstance(parts, dict) else {}


def changed_parts(stored: Mapping[str, str], now: Mapping[str, str]) -> tuple[str, ...]:
    """The parts that differ between a stored fingerprint and that of now, among those that both have."""
    return tuple(part for part in now if part in stored and stored[part] != now[part])


def only_verdict_is_stale(changed: tuple[str, ...], ends: str) -> bool:
    """Whether the episode would take the same course now, so that judging it anew is enough.

    An episode that ends as soon as its task is done has its course from the rules, too.
    """
    return bool(changed) and ends != ON_SUCCESS and _OF_VERDICT.issuperset(changed)


def fingerprint_of(
    plan: EpisodePlan, task: Task, judging: TaskRules, rules: tuple[Rule, ...], anomalies: AnomalySource
) -> dict[str, str]:
    """The fingerprint of an episode that begins now; ``rules`` are all of the project."""
    settings = plan.as_dict()
    agent, condition = settings.pop("agent"), settings.pop("condition")
    injecting: list[Rule] = []
    if plan.condition.rules is not None:
        wanted = wanted_rules(plan.condition, task)
        injecting = [rule for rule in rules if rule.kind == INJECTION and (not wanted or rule.id in wanted)]
    injected = [item.anomaly for item in plan.condition.injections]
    injected += [action.interference_id for rule in injecting for action in rule.actions]
    return {
        AGENT: _digest(agent),
        SETTINGS: _digest(settings),
        TASK: _digest([task.instruction, task.app, task.package, task.language]),
        CONDITION: _digest([condition, list(map(plain_rule, injecting)), _declared(anomalies, injected)]),
        RULES: _digest(
            [
                task.rule_key, task.human_validation, str(task.expected_answer),
                plain_rule(judging.success) if judging.success is not None else None,
            ]
        ),
        STATES: _digest([[plain_rule(rule) for rule in judging.states], list(judging.needed or ())]),
        WAYMARK: __version__,
    }  # fmt: skip


def _declared(source: AnomalySource, ids: list[str]) -> list[Any]:
    """The anomalies as their libraries declare them; an id that no library has is a part of its own."""
    known = {item.anomaly.id: item.anomaly for item in source.listed()}
    return [_plain(known[name]) if name in known else name for name in sorted(set(ids))]


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
