"""Send the request of a step of a run again with the agent that its experiment declares; blocking."""

from __future__ import annotations

import threading
from dataclasses import replace
from typing import TYPE_CHECKING

from collector.model.errors import UserError
from collector.model.i18n import _

if TYPE_CHECKING:
    from collector.agents.openai.asking_again import AnswersAgain
    from collector.store.project.project import Project
    from collector.store.trajectory.reader import StoredTrajectory


def answers_again(
    project: Project, stored: StoredTrajectory, index: int, model: str, times: int, cancel: threading.Event
) -> AnswersAgain:
    """Ask ``times`` times, another ``model`` of the same endpoint where one is named.

    Raises UserError, UntrustedAgent among them, and CallCancelled.
    """
    from collector.agents.openai.asking_again import ask_again  # loads the client
    from collector.agents.registry import DeclaredAgent
    from collector.run.experiment.experiment_agent import experiment_agent

    episode = stored.header.episode
    if episode is None or not episode.experiment:
        raise UserError(
            _("No experiment says where the model is"), _("the run belongs to none"),
            _("Name the endpoint with `waymark agent ask`"),
        )  # fmt: skip
    named = experiment_agent(project, episode.experiment, episode.agent)
    if model:
        kind, options = named.declaration.kind, named.declaration.options
        named = replace(named, declaration=DeclaredAgent(kind, {**options, "model": model}))
    return ask_again(named.create(project), stored, index, times, cancel)
