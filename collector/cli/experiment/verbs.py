"""``waymark experiment``: list, show, check, schema. ``new`` is in :mod:`collector.cli.experiment.new`.

Exit status of ``check``: 0 nothing or only warnings found, 1 errors found, 2 wrong usage.
"""

from __future__ import annotations

from dataclasses import asdict
from pathlib import Path
from typing import Any

import click

from collector.agents.registry import agent_kinds
from collector.cli.diagnostic_output import as_dict, counts_of, print_diagnostics
from collector.cli.output import json_option, print_json, print_table, say
from collector.cli.run.report import cost_text, time_text
from collector.cli.shared_options import in_project, project_argument
from collector.cli.verb_groups import experiment
from collector.located_yaml.diagnostics import Diagnostic
from collector.model.i18n import _, ngettext
from collector.run.experiment.estimate import Estimate, estimate, measured_episodes
from collector.run.experiment.files import (
    CheckedExperiment,
    check_experiment,
    find_experiment,
    project_around_file,
)
from collector.run.experiment.json_schema import experiment_schema
from collector.run.experiment.matrix import cells, modalities_of
from collector.run.experiment.scope import ExperimentScope, scope_of
from collector.store.catalogue.catalogue import Catalogue
from collector.store.files.layout import is_project
from collector.store.project.project import Project

FILE = click.Path(exists=True, dir_okay=False, path_type=Path)
phones_option = click.option(
    "--phones", type=click.IntRange(1), default=None, help="Estimate for so many phones at a time."
)
_LONGEST = 90


@experiment.command(name="list")
@project_argument
@json_option
def list_experiments(folder: Path, as_json: bool) -> None:
    """List the experiments of the project: their size, how much of it has run, and what is wrong."""
    project = Project.open(folder)
    scope = scope_of(project, agent_kinds().kinds)
    rows = []
    with Catalogue(project) as catalogue:
        catalogue.refresh()
        for path in project.paths.experiments():
            checked = check_experiment(path, scope, project.paths.relative(path))
            total = sum(1 for _cell in cells(checked.experiment, scope.kinds))
            query = f'kind:run infrastructure:no outcome:any experiment:"={path.stem}"'
            run = len({(row.cell, row.seed, row.repeat) for row in catalogue.find(query)})
            rows.append((path.stem, checked, total, run))
    if as_json:
        print_json({"experiments": [_row_as_dict(*row) for row in rows]})
        return
    if not rows:
        say(_("The project has no experiment; make one with `waymark experiment new NAME`"))
        return
    print_table(
        ("EXPERIMENT", "TASKS", "AGENTS", "CONDITIONS", "EPISODES", "RUN", "PROBLEMS"),
        [
            (
                name, len(checked.experiment.tasks_run), len(checked.experiment.agents),
                len(checked.experiment.conditions), total, run, _problems(checked),
            )
            for name, checked, total, run in rows
        ],
    )  # fmt: skip


def _row_as_dict(name: str, checked: CheckedExperiment, total: int, run: int) -> dict[str, Any]:
    return {
        "name": name,
        "path": str(checked.path),
        "description": checked.experiment.description,
        "tasks": len(checked.experiment.tasks_run),
        "agents": [entry.id for entry in checked.experiment.agents],
        "conditions": [condition.id for condition in checked.experiment.conditions],
        "episodes": total,
        "run": run,
        "counts": counts_of(checked.diagnostics),
    }


def _problems(checked: CheckedExperiment) -> str:
    counts = counts_of(checked.diagnostics)
    parts = [
        ngettext("{count} error", "{count} errors", counts["error"]) if counts["error"] else "",
        ngettext("{count} warning", "{count} warnings", counts["warning"]) if counts["warning"] else "",
    ]
    return ", ".join(filter(None, parts))


@experiment.command()
@click.argument("reference", metavar="EXPERIMENT")
@click.option("--cells", "all_cells", is_flag=True, help="Print a line for every episode.")
@phones_option
@in_project
@json_option
def show(reference: str, all_cells: bool, phones: int | None, folder: Path, as_json: bool) -> int:
    """Show what EXPERIMENT, a name or a file, would run: its axes, its size, and what it will take."""
    project, path = _found(reference, folder)
    scope = scope_of(project, agent_kinds().kinds) if project is not None else _outside()
    checked = check_experiment(path, scope)
    if checked.errors:
        if as_json:
            print_json({"findings": [as_dict(item) for item in checked.diagnostics]})
        else:
            print_diagnostics(checked.diagnostics)
        return 1
    listed = list(cells(checked.experiment, scope.kinds)) if all_cells or as_json else []
    taken = _estimate(checked, scope, project, phones or 0)
    if as_json:
        print_json(
            {
                "experiment": asdict(checked.experiment),
                "estimate": asdict(taken),
                "cells": [{"id": cell.id, **asdict(cell)} for cell in listed],
                "findings": [as_dict(item) for item in checked.diagnostics],
            }
        )
        return 0
    _print_axes(checked, scope)
    print_estimate(taken, is_offline=checked.experiment.offline is not None)
    for cell in listed:
        say(f"  {cell.id}")
    if checked.diagnostics:
        print_diagnostics(checked.diagnostics)
    return 0


def _estimate(
    checked: CheckedExperiment, scope: ExperimentScope, project: Project | None, phones: int
) -> Estimate:  # fmt: skip
    measured = {}
    if project is not None:
        with Catalogue(project) as catalogue:
            catalogue.refresh()
            measured = measured_episodes(
                catalogue,
                [entry.id for entry in checked.experiment.agents],
                offline=checked.experiment.offline is not None,
            )
    return estimate(checked.experiment, scope.kinds, scope.tasks, phones, measured)


def _print_axes(checked: CheckedExperiment, scope: ExperimentScope) -> None:
    shown = checked.experiment
    default = _("default")
    modalities = dict.fromkeys(
        modality for entry in shown.agents for modality in modalities_of(shown, entry, scope.kinds)
    )
    say(shown.name + (f"  {shown.description}" if shown.description else ""))
    print_table(
        ("AXIS", "COUNT", "VALUES"),
        [
            ("tasks", len(shown.tasks_run), ", ".join(shown.tasks_run)),
            ("agents", len(shown.agents), ", ".join(entry.id for entry in shown.agents)),
            ("conditions", len(shown.conditions), ", ".join(item.id for item in shown.conditions)),
            ("modality", len(modalities), ", ".join(modalities)),
            ("variations", len(shown.variations), ", ".join(item or default for item in shown.variations)),
            ("goal styles", len(shown.goal_styles), ", ".join(item or default for item in shown.goal_styles)),
            ("starts", len(shown.starts or ()), ", ".join(start.text for start in shown.starts or ())),
            (
                "golden trajectories",
                len(shown.offline or ()),
                ", ".join(golden.trajectory for golden in shown.offline or ()),
            ),
            ("languages", len(shown.languages), ", ".join(item or default for item in shown.languages)),
            ("seeds", len(shown.seeds), ", ".join(map(str, shown.seeds))),
            ("repeats", shown.repeats, ""),
        ],
        last=_LONGEST,
    )


def print_estimate(taken: Estimate, *, is_offline: bool = False) -> None:
    """Print the size of a run, and what it will take."""
    size = ngettext("{count} episode", "{count} episodes", taken.episodes)
    steps = ngettext("at most {count} step", "at most {count} steps", taken.steps)
    seconds = None if taken.seconds is None else round(taken.seconds, 1)
    time = time_text(taken.phones, seconds, is_offline=is_offline)
    say(", ".join(filter(None, (size, steps, time, cost_text(taken)))))
    for part in taken.agents:
        known = ngettext("from {count} earlier episode", "from {count} earlier episodes", part.measured)
        say(
            f"  {part.agent}: {part.episodes}"
            + (f", {duration(part.seconds)}" if part.seconds is not None else "")
            + (f", {part.cost:.2f} USD" if part.cost else "")
            + (f" ({known})" if part.measured else "")
        )


def duration(seconds: float) -> str:
    """A time for people, as in ``3 min`` or ``2 h 10 min``."""
    minutes, whole = divmod(round(seconds), 60)
    hours, minutes = divmod(minutes, 60)
    if hours:
        return _("{hours} h {minutes} min", hours=hours, minutes=minutes)
    return (
        _("{minutes} min {seconds} s", minutes=minutes, seconds=whole)
        if minutes
        else _("{count} s", count=whole)
    )


@experiment.command()
@click.argument("files", nargs=-1, type=str, metavar="[EXPERIMENT]...")
@in_project
@json_option
def check(files: tuple[str, ...], folder: Path, as_json: bool) -> int:
    """Check experiments, names or files; by default all of the project.

    Each finding has its line, its reason and the nearest right word.
    """
    if files:
        found = [_found(name, folder) for name in files]
    else:
        project = Project.open(folder)
        found = [(project, path) for path in project.paths.experiments()]
    scopes: dict[Path | None, ExperimentScope] = {}
    diagnostics: list[Diagnostic] = []
    for owner, path in found:
        key = owner.folder if owner is not None else None
        if key not in scopes:
            scopes[key] = scope_of(owner, agent_kinds().kinds) if owner is not None else _outside()
        diagnostics += check_experiment(path, scopes[key]).diagnostics
    if as_json:
        findings = [as_dict(item) for item in diagnostics]
        print_json({"checked": len(found), "findings": findings, "counts": counts_of(diagnostics)})
    else:
        print_diagnostics(diagnostics)
    return int(any(item.severity == "error" for item in diagnostics))


@experiment.command()
def schema() -> None:
    """Print the JSON Schema of experiments, for editors; with the kinds of agents installed here."""
    print_json(experiment_schema(agent_kinds().kinds))


def _found(reference: str, folder: Path) -> tuple[Project | None, Path]:
    """An experiment and its project: the one around its file, else that in ``folder``, else none."""
    project = Project.open(folder) if is_project(folder) else None
    path = find_experiment(project, reference)
    return project_around_file(path) or project, path


def _outside() -> ExperimentScope:
    """The scope of a file outside of any project."""
    return ExperimentScope(agent_kinds().kinds)
