"""A scope with three tasks, four anomalies, a rule and four kinds of agents."""

from __future__ import annotations

from typing import Any

from collector.agents.agent import SCREENSHOT, SCREENSHOT_AND_TREE, TREE, Agent
from collector.agents.kinds import AgentKind
from collector.anomalies.model import Anomaly, DialogAnswer
from collector.model.task import Task
from collector.plugins.options import PluginOption
from collector.rules.grammar.model import INJECTION, SUCCESS, Injection, Rule
from collector.run.experiment.reader import ExperimentFile, read_experiment
from collector.run.experiment.scope import ExperimentScope


def _no_agent(_options: Any, _project: Any) -> Agent:
    raise AssertionError("no test of experiments runs an agent")


def _kind(name: str, *options: PluginOption, modalities: tuple[str, ...] = ()) -> AgentKind:
    return AgentKind(name, name, _no_agent, "", options, modalities or (SCREENSHOT_AND_TREE, TREE), 0.01)


KINDS = {
    kind.id: kind
    for kind in (
        _kind("golden"),
        _kind("careful", PluginOption("policy", choices=("later", "accept")), PluginOption("waits", int, 3),
              PluginOption("header")),
        _kind("monkey", modalities=(SCREENSHOT, SCREENSHOT_AND_TREE)),
        _kind("asked", PluginOption("model", required=True), PluginOption("api_key"),
              PluginOption("max_tokens", int), PluginOption("key_env"), modalities=(SCREENSHOT,)),
    )
}  # fmt: skip
_ACCEPT, _DENY = DialogAnswer("accept", "OK", "yes"), DialogAnswer("deny", "No", "no")


def _anomaly(name: str, family: str, *answers: DialogAnswer) -> Anomaly:
    return Anomaly(name, family=family, category="System Resource", language="en", answers=answers)


ANOMALIES = (
    _anomaly("low_double", "low", _ACCEPT, _DENY),
    _anomaly("low_single", "low", _ACCEPT),
    _anomaly("only_double", "only", _ACCEPT, _DENY),
    Anomaly("airplane", "native", "airplane", "System Network"),
)
TASKS = (
    Task("shop-1", "Buy a print", "Shop", "com.waymark.shop", "easy", rule_key="shop-1", max_steps=10),
    Task("shop-2", "Sort prints", "Shop", "com.waymark.shop", "hard", rule_key="shop-2", max_steps=20),
    Task("todo-1", "Add a note", "Todo", "com.waymark.todo", "easy", rule_key="todo-1"),
)


def experiment_scope(**changes: Any) -> ExperimentScope:
    """The scope; ``changes`` replace parts of it."""
    rules = [Rule(id=task.id, kind=SUCCESS) for task in TASKS]
    rules.append(Rule(id="on-list", kind=INJECTION, actions=(Injection(interference_id="low_double"),)))
    values: dict[str, Any] = {
        "kinds": KINDS,
        "has_project": True,
        "tasks": {task.id: task for task in TASKS},
        "anomalies": {anomaly.id: anomaly for anomaly in ANOMALIES},
        "rules": tuple(rules),
        "golden_counts": lambda: {task.id: 1 for task in TASKS},
    }
    return ExperimentScope(**{**values, **changes})


def read(text: str, scope: ExperimentScope | None = None) -> ExperimentFile:
    """Read a text in a scope."""
    return read_experiment(text, scope or experiment_scope(), "trial", "trial.yaml")
