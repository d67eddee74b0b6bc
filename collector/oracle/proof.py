"""A proof that a task can be done: the actions that did it on a phone of this process."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

from collector.model.action import Action, action_to_dict
from collector.model.app_data.kept_proof import KeptProof
from collector.model.task import Task


@dataclass(frozen=True, slots=True)
class TaskProof:
    """What became of the search for a way to do a task under a variation."""

    task: str
    variation: str
    seed: int
    actions: tuple[Action, ...] = ()
    """Those that were played, with reward 1 at the end where ``problem`` is empty."""
    at_least: int = 0
    """No sequence with fewer actions does it; equal to the length for a shortest one."""
    states: int = 0
    """Moments of apps that were looked at."""
    seconds: float = 0.0
    """Of the computer, for search and play."""
    problem: str = ""
    """Why the task is not proved, in a sentence; empty when it is."""

    @property
    def is_proved(self) -> bool:
        return not self.problem

    @property
    def length(self) -> int:
        """Number of actions."""
        return len(self.actions)

    def as_dict(self) -> dict[str, Any]:
        """The proof as JSON and YAML have it."""
        return {
            "task": self.task, "variation": self.variation, "seed": self.seed, "proved": self.is_proved,
            "length": self.length if self.is_proved else None, "at_least": self.at_least,
            "states": self.states, "seconds": round(self.seconds, 2), "problem": self.problem,
            "actions": [action_to_dict(action) for action in self.actions],
        }  # fmt: skip


def with_proof(task: Task, proof: TaskProof) -> Task:
    """The task with what is kept of a proof; one that was not proved loses that of another target."""
    if task.target is None:
        return task
    version, kept = task.target.version, task.proof
    if proof.is_proved:
        kept = KeptProof(proof.variation, proof.seed, proof.length, proof.at_least, version)
    elif kept is not None and kept.target != version:
        kept = None
    return replace(task, proof=kept)
