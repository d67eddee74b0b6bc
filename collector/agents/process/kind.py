"""The kind ``process``, as the registry knows it."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from collector.agents.agent import SCREENSHOT, SCREENSHOT_AND_TREE, TREE, Agent
from collector.agents.kinds import AgentKind
from collector.agents.process.option_table import OPTIONS
from collector.agents.process.program_files import program_files, require_program
from collector.agents.process.program_options import read_options
from collector.model.i18n import N_
from collector.store.project.project import Project


def _create(options: Mapping[str, Any], project: Project | None) -> Agent:
    # Loaded when such an agent is made: it brings asyncio along.
    from collector.agents.process.program_agent import ProgramAgent

    checked = read_options(options)
    return ProgramAgent(checked, checked.folder(project))


def _check(options: Mapping[str, Any], project: Project | None) -> None:
    require_program(read_options(options), project)


def _files(options: Mapping[str, Any], project: Project | None, _task_id: str) -> tuple[Path, ...]:
    return program_files(read_options(options), project)


KIND = AgentKind(
    id="process",
    title=N_("Program of any language"),
    create=_create,
    description=N_("Runs a program that answers over JSON lines on its standard input and output"),
    options=OPTIONS,
    modalities=(SCREENSHOT_AND_TREE, SCREENSHOT, TREE),
    commands=lambda options: (read_options(options).text,),
    check=_check,
    files=_files,
)
