"""Start every agent once before the first cell, so that one that cannot work ends the run at once."""

from __future__ import annotations

from collections.abc import Iterable
from functools import partial

from collector.agents.agent import start_agent
from collector.agents.agent_trial import with_clear_errors
from collector.agents.registry import create_agent
from collector.model.errors import UserError
from collector.model.i18n import _
from collector.run.experiment.model import AgentEntry
from collector.store.project.project import Project


def preflight_problem(project: Project, entries: Iterable[AgentEntry]) -> str:
    """Why an agent cannot be created or started, in a sentence; empty when all can. Blocks as they do."""
    for entry in entries:
        try:
            agent = create_agent(entry, project)
            try:
                with_clear_errors(partial(start_agent, agent))
            finally:
                agent.close()
        except UserError as error:
            return _("The agent {name} cannot be started: {why}", name=entry.id, why=error)
    return ""
