"""What is settled of an episode before it begins."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from collector.asking.user_choice import USUAL_USER, UserChoice
from collector.model.episode import Episode
from collector.model.task import Task
from collector.run.experiment.estimate import budget_of
from collector.run.experiment.model import (
    AgentEntry,
    Cell,
    Experiment,
    PhoneChoice,
    PlannedInjection,
    RunCondition,
)


@dataclass(frozen=True, slots=True)
class EpisodePlan:
    """The settings of one cell of an experiment."""

    cell: Cell
    agent: AgentEntry
    condition: RunCondition
    semantics: str
    ends: str
    budget: int
    """The most steps of the agent."""
    early_stop: int
    reset: str
    agent_files: Mapping[str, str] = field(default_factory=dict)
    """Digests of the files that decide how the agent acts, such as its prompt, by their names."""
    phone: Mapping[str, Any] = field(default_factory=dict)
    """What the experiment asks of a phone, whichever of several it is; empty for older episodes."""
    user: UserChoice = USUAL_USER
    """Who answers an agent that asks."""

    @classmethod
    def of(
        cls, experiment: Experiment, cell: Cell, task: Task | None,
        agent_files: Mapping[str, str] | None = None,
    ) -> EpisodePlan:  # fmt: skip
        """The plan of a cell. Raises KeyError when the experiment does not have its agent or condition."""
        return cls(
            cell, experiment.agent(cell.agent), experiment.condition(cell.condition),
            experiment.semantics, experiment.ends,
            budget_of(experiment, task),
            experiment.early_stop, experiment.reset or (task.reset if task is not None else ""),
            agent_files or {}, phone_asked_for(experiment.phones), experiment.user,
        )  # fmt: skip

    def as_dict(self) -> dict[str, Any]:
        """The settings as JSON, from which the rules of an episode are made again."""
        condition = self.condition
        files = {"files": dict(self.agent_files)} if self.agent_files else {}
        return {
            "agent": {"kind": self.agent.kind, "options": dict(self.agent.options), **files},
            "condition": {
                "id": condition.id,
                "injections": [[item.anomaly, item.at] for item in condition.injections],
                "rules": None if condition.rules is None else list(condition.rules),
                "limit": condition.limit,
                "buttons": condition.buttons,
            },
            "semantics": self.semantics, "ends": self.ends, "budget": self.budget,
            "early_stop": self.early_stop, "reset": self.reset,
            **({"phone": dict(self.phone)} if self.phone else {}),
            # Only where it is not the usual one: earlier episodes stay what they were.
            **({"user": self.user.as_dict()} if self.user != USUAL_USER else {}),
        }  # fmt: skip


def phone_asked_for(choice: PhoneChoice) -> dict[str, Any]:
    """What phones of an experiment have in common: which and how many there are makes no difference."""
    if choice.serials:
        return {"kind": "connected"}
    if choice.avd:
        return {"kind": "emulator", "avd": choice.avd}
    asked: dict[str, Any] = {
        "kind": "virtual", "size": str(choice.size or ""), "density": choice.density,
    }  # fmt: skip
    # Only where it is so: earlier episodes, whose phones did not ask, stay what they were.
    return {**asked, "asks_permissions": True} if choice.asks_permissions else asked


def plan_from_dict(values: Mapping[str, Any], task_id: str, episode: Episode) -> EpisodePlan:
    """The plan in :meth:`EpisodePlan.as_dict`, of a stored episode. Raises ValueError for anything else."""
    try:
        agent, condition = values["agent"], condition_from_dict(values["condition"])
        cell = Cell(
            task_id, episode.agent, condition.id, episode.modality, episode.variation, episode.language,
            episode.seed or 0, episode.repeat or 0, episode.goal_style, episode.start,
            episode.offline,
        )  # fmt: skip
        entry = AgentEntry(episode.agent, str(agent["kind"]), dict(agent["options"]))
        return EpisodePlan(
            cell, entry, condition, str(values["semantics"]), str(values["ends"]), int(values["budget"]),
            int(values["early_stop"]), str(values["reset"]), dict(agent.get("files", {})),
            dict(values.get("phone", {})), UserChoice.read(values.get("user", {})),
        )  # fmt: skip
    except (KeyError, TypeError) as error:
        raise ValueError(f"no plan of an episode: {error}") from None


def condition_from_dict(values: Mapping[str, Any]) -> RunCondition:
    """The condition in :meth:`EpisodePlan.as_dict`. Raises ValueError for anything else."""
    try:
        rules = values["rules"]
        return RunCondition(
            str(values["id"]),
            tuple(PlannedInjection(str(anomaly), int(at)) for anomaly, at in values["injections"]),
            None if rules is None else tuple(map(str, rules)),
            int(values["limit"]), values["buttons"],
        )  # fmt: skip
    except (KeyError, TypeError) as error:
        raise ValueError(f"no condition: {error}") from None
