"""The kind ``openai``, as the registry knows it."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from collector.agents.agent import SCREENSHOT, SCREENSHOT_AND_TREE, TREE, Agent
from collector.agents.kinds import AgentKind
from collector.agents.openai.option_table import OPTIONS
from collector.consent.transfer import Transfer
from collector.endpoint.endpoint_options import read_endpoint
from collector.model.i18n import N_
from collector.store.project.project import Project


def _create(options: Mapping[str, Any], project: Project | None) -> Agent:
    # Loaded when such an agent is made: drawing and the network are not needed to list the kinds.
    from collector.agents.openai.chat_agent import ChatAgent
    from collector.agents.openai.chat_options import read_options

    return ChatAgent(read_options(options, project))


def transfers(options: Mapping[str, Any]) -> tuple[Transfer, ...]:
    """What a person allows before the model is asked."""
    given = {name: value for name, value in options.items() if value}
    return (read_endpoint({"model": "any", **given}).transfer,)


def _check(options: Mapping[str, Any], project: Project | None) -> None:
    from collector.agents.openai.chat_options import read_options

    read_options(options, project)


def _check_modality(options: Mapping[str, Any], project: Project | None, modality: str) -> None:
    from collector.agents.openai.chat_options import read_options, require_modality

    require_modality(read_options(options, project), modality)


def _files(options: Mapping[str, Any], project: Project | None, _task: str) -> tuple[Path, ...]:
    from collector.agents.openai.chat_options import prompt_of
    from collector.agents.openai.prompt_file import PROMPTS

    return (PROMPTS.path(prompt_of(options), project),)


KIND = AgentKind(
    id="openai",
    title=N_("Model behind an OpenAI-compatible endpoint"),
    create=_create,
    description=N_("Shows a model screenshots over the chat completions API, and reads its answers"),
    options=OPTIONS,
    modalities=(SCREENSHOT_AND_TREE, SCREENSHOT, TREE),
    transfers=transfers,
    check=_check,
    check_modality=_check_modality,
    files=_files,
)
