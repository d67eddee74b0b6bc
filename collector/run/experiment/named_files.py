"""The files of a project that the agents of its experiments name: programs, what they import, and prompts."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from collector.agents.kinds import AgentKind
from collector.agents.registry import agent_kinds
from collector.model.errors import UserError
from collector.plugins.options import with_defaults
from collector.rules.grammar.errors import RuleError
from collector.rules.grammar.rule_files import read_text
from collector.run.experiment.reader import read_experiment
from collector.run.experiment.scope import scope_of
from collector.store.files.layout import TRAJECTORIES
from collector.store.project.project import Project


def files_of_experiments(project: Project) -> list[Path]:
    """Those in the project's folder but its trajectories, sorted. What cannot be read names none."""
    return sorted(set(_named(project)))


def _named(project: Project) -> Iterator[Path]:
    kinds = agent_kinds().kinds
    scope, inside = scope_of(project, kinds), project.folder.resolve()
    for path in project.paths.experiments():
        try:
            experiment = read_experiment(read_text(path), scope, path.stem, path.name).experiment
        except RuleError:
            continue
        for entry in experiment.agents:
            try:
                files = _files(kinds.get(entry.kind), entry.options, project)
            except UserError:  # the check of the experiment says what is wrong
                continue
            for file in files:
                real = file.resolve()
                if real.is_relative_to(inside) and not real.is_relative_to(inside / TRAJECTORIES):
                    yield project.folder / real.relative_to(inside)


def _files(kind: AgentKind | None, options: Mapping[str, Any], project: Project) -> tuple[Path, ...]:
    return kind.files(with_defaults(kind, options), project, "") if kind is not None else ()
