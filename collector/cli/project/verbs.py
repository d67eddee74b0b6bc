"""``waymark project``: new, check, list, recover, index.

Every verb prints one JSON document with ``--json``; its shape is in ``docs/guide/formats.md``.
Exit status: 0 done, 1 problems found or refused, 2 wrong usage.
"""

from __future__ import annotations

from pathlib import Path

import click

from collector.cli.finding_output import finding_text, project_finding_as_dict
from collector.cli.output import json_option, print_json, say
from collector.cli.progress import checking_progress, counted_folders, indexing_progress
from collector.cli.shared_options import project_argument
from collector.cli.step_numbers import FROM_0, at_step
from collector.cli.verb_groups import project
from collector.model.i18n import _, ngettext
from collector.store.catalogue.catalogue import Catalogue
from collector.store.files.findings import ERROR, NOTICE
from collector.store.files.part_files import sweep_parts
from collector.store.files.project_settings import SEMANTICS
from collector.store.project.project import Project
from collector.store.project.sample_project import create_from_sample
from collector.store.project.samples import SAMPLES
from collector.store.project.trajectory_moves import finish_moves
from collector.store.trajectory.recover import clear_unbegun, recover_all


@project.command()
@project_argument
@click.option("--name", default="", help="Name of the project; by default the name of the folder.")
@click.option(
    "--semantics",
    type=click.Choice(SEMANTICS),
    help=f"How rules are read; {SEMANTICS[0]} by default, and in samples.",
)
@click.option(
    "--sample",
    "sample_id",
    type=click.Choice(list(SAMPLES)),
    help="Begin with a sample: its tasks, recordings, rules and finished runs.",
)
@json_option
def new(folder: Path, name: str, semantics: str | None, sample_id: str | None, as_json: bool) -> None:
    """Create a project in the folder PROJECT.

    The samples show robustness under anomalies, essential states, variations of the phone, or everything.
    """
    if sample_id is not None and semantics is not None:
        raise click.UsageError(_("A sample has its own semantics: leave --semantics out"))
    if sample_id is not None:
        created = create_from_sample(folder, SAMPLES[sample_id], name)
    else:
        created = Project.create(folder, name, semantics=semantics or SEMANTICS[0])
    if as_json:
        print_json({"project": str(created.folder), "name": created.name, "semantics": created.semantics})
    else:
        say(_("Made the project {name} in {folder}", name=created.name, folder=created.folder))
        say(_("When it is in git: `waymark project merge --install` merges what two people added"))


@project.command()
@project_argument
@click.option(
    "--full", "reads_all", is_flag=True,
    help="Read all files, also of trajectories that did not change since they were in order.",
)  # fmt: skip
@json_option
def check(folder: Path, reads_all: bool, as_json: bool) -> int:
    """Check every file of PROJECT: recordings, tasks, rules, anomalies, other YAML and JSON.

    A notice is no problem. From 400 trajectories on those whose files did not change are not read again.
    """
    from collector.project_check.project_check import check_every_file  # the linters take time to load
    from collector.store.checks.unchanged import UnchangedTrajectories

    opened = Project.open(folder, allow_damage=True)
    memory = UnchangedTrajectories(opened, forgets=reads_all)
    problems = check_every_file(opened, counted_folders(opened, checking_progress()), memory)
    failures = [problem for problem in problems if problem.severity != NOTICE]
    errors = sum(problem.severity == ERROR for problem in failures)
    if as_json:
        print_json(
            {
                **FROM_0,
                "project": opened.name,
                "errors": errors,
                "unchanged": memory.count,
                "problems": [project_finding_as_dict(problem) for problem in problems],
            }
        )
        return int(bool(failures))
    for problem in problems:
        place = (problem.where + at_step(problem.steps)).strip()
        say(f"{problem.severity}: {f'{place}: ' if place else ''}{finding_text(problem)} [{problem.code}]")
    if memory.count:
        say(
            ngettext(
                "{count} trajectory did not change since it was in order: --full reads it again",
                "{count} trajectories did not change since they were in order: --full reads them again",
                memory.count,
            )
        )
    say(
        ngettext("{count} problem", "{count} problems", len(failures))
        if failures
        else _("Everything is in order")
    )
    return int(bool(failures))


@project.command()
@project_argument
@json_option
def recover(folder: Path, as_json: bool) -> int:
    """Recover the trajectories of PROJECT whose recording was cut short."""
    opened = Project.open(folder)
    is_moved = finish_moves(opened)
    results = recover_all(opened.trajectory_folders())
    cleared = [opened.paths.relative(path) for path in clear_unbegun(opened.task_folders())]
    swept = [opened.paths.relative(path) for path in sweep_parts(opened.folder)]
    status = 1 if any(result.problem for result in results) else 0
    if as_json:
        rows = [
            {
                "trajectory": opened.paths.relative(result.folder),
                "steps": result.steps,
                "mended": list(result.sentences),
                "problem": result.problem,
            }
            for result in results
        ]
        print_json(
            {
                "project": opened.name,
                "recovered": rows,
                "cleared": cleared,
                "swept": swept,
                "moved": is_moved,
            }
        )
        return status
    for result in results:
        safe = ngettext("{count} step is safe", "{count} steps are safe", result.steps)
        say(f"{opened.paths.relative(result.folder)}: {result.problem or safe}")
        for sentence in result.sentences:
            say(f"  {sentence}")
    for place in cleared:
        say(_("{place}: ended before its first step and was cleared away", place=place))
    if swept:
        say(
            ngettext(
                "{count} half-written file of a program that ended was removed",
                "{count} half-written files of programs that ended were removed",
                len(swept),
            )
        )
    if is_moved:
        say(_("A split or join of trajectories that was cut short was carried out"))
    if not (results or cleared or swept or is_moved):
        say(_("Nothing needed to be recovered"))
    return status


@project.command()
@project_argument
@json_option
def index(folder: Path, as_json: bool) -> None:
    """Rebuild the search catalogue of PROJECT from its files."""
    opened = Project.open(folder)
    with Catalogue(opened) as catalogue:
        catalogue.rebuild(indexing_progress())
        statuses = catalogue.statuses()
    total = sum(statuses.values())
    if as_json:
        print_json({"project": opened.name, "trajectories": total, "by_status": statuses})
    else:
        say(ngettext("Indexed {count} trajectory", "Indexed {count} trajectories", total))
