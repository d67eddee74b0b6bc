"""The agents of one worker: created when they act first, closed with the worker or after a fault."""

from __future__ import annotations

import logging

from collector.agents.agent import Agent
from collector.agents.registry import create_agent
from collector.model.episode import Outcome
from collector.run.cycle.episode_job import EpisodeJob, EpisodeResult
from collector.store.project.project import Project

_log = logging.getLogger(__name__)


class WorkerAgents:
    """Agents by their name in the experiment. Belongs to the thread of its worker."""

    def __init__(self) -> None:
        self._agents: dict[str, Agent] = {}

    def of(self, job: EpisodeJob) -> Agent:
        """The agent of the cell. Raises UserError when it cannot be created."""
        name = job.cell.agent
        if name not in self._agents:
            self._agents[name] = create_agent(job.experiment.agent(name), Project.open(job.project))
        return self._agents[name]

    def close(self) -> None:
        """Close all of them, whatever they raise."""
        agents, self._agents = self._agents, {}
        for name, agent in agents.items():
            try:
                agent.close()
            except Exception:  # noqa: BLE001 - the code of a third party
                _log.warning("the agent %s could not be closed", name, exc_info=True)


def faulty(job: EpisodeJob, why: str, **values: bool) -> EpisodeResult:
    """An attempt that a fault ended before it began."""
    return EpisodeResult(job.cell, "", Outcome(infrastructure=why), **values)
