"""``waymark project health``: what in a project tells nothing or no longer holds, and suspicious runs."""

from __future__ import annotations

import contextlib
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from collector.cli.finding_output import finding_text, project_finding_as_dict
from collector.cli.output import json_option, print_json, say
from collector.cli.progress import indexing_progress
from collector.cli.shared_options import as_person, devices_option, project_argument, workers_option
from collector.cli.step_numbers import FROM_0, at_step
from collector.cli.verb_groups import project
from collector.model.i18n import _, ngettext
from collector.store.catalogue.catalogue import Catalogue
from collector.store.project.project import Project

if TYPE_CHECKING:
    from collector.project_health.health_finding import HealthFinding, HealthFix, HealthReport
    from collector.project_health.phone_runs import ReplayedGolden


@project.command()
@project_argument
@click.option(
    "--only", "codes", multiple=True, metavar="CODE", help="Only findings of this code; may be given again."
)
@click.option("--task", "tasks", multiple=True, help="Id of a task; may be given again.")
@click.option(
    "--run", "records", is_flag=True,
    help="First record what it is told from: replays of the goldens, and random runs of each task.",
)  # fmt: skip
@devices_option
@workers_option
@as_person
@json_option
def health(
    folder: Path, codes: tuple[str, ...], tasks: tuple[str, ...], records: bool, devices: str,
    workers: int | None, who: str, as_json: bool,
) -> int:  # fmt: skip
    """Tell the health of PROJECT from what is recorded: without --run no phone is needed.

    It finds tasks that all or none do, answers in instructions, states and anomalies that tell nothing,
    judges that drift, outdated verdicts, goldens that do not replay, and successes that look wrong. It
    names what too little is recorded of; --run records that on phones. Exit status: 0 nothing found, 1
    something found, 2 wrong usage, 130 stopped.
    """
    from collector.project_health.health import check_health, named_kinds  # loads the linters and numpy

    opened = Project.open(folder)
    if records:
        named_kinds(codes)  # wrong ones are refused before phones are started
        with contextlib.redirect_stdout(sys.stderr) if as_json else contextlib.nullcontext():
            status = _record(opened, tasks, devices, workers or 0)
        if status:
            return status
        opened = Project.open(folder)
    with Catalogue(opened) as catalogue:
        catalogue.refresh(indexing_progress())
        report = check_health(opened, catalogue, only=codes, tasks=tasks, who=who)
    if as_json:
        print_json(_as_dict(opened, report))
    else:
        _print(report)
    return int(bool(report.counts))


def _record(opened: Project, tasks: tuple[str, ...], devices: str, workers: int) -> int:
    """Replay goldens and run random actions, on virtual phones by default; the status of a stop, or 0."""
    from collector.cli.run.experiment import STOPPED_STATUS, RunRequest, run_experiment
    from collector.cli.run.phones import phones_of
    from collector.project_health.phone_runs import prepare_random_runs, replay_goldens
    from collector.run.experiment.model import PhoneChoice

    opened.require_writable()
    phone = phones_of(PhoneChoice(), devices.strip(), 1).acquire(0)
    try:
        replay_goldens(opened, phone, tasks, _say_replayed)
    finally:
        phone.release()
    name = prepare_random_runs(opened)
    request = RunRequest(name, opened.folder, (devices, workers, "", ""), tasks=tasks)
    status = run_experiment(request) if name else 0
    return status if status == STOPPED_STATUS else 0


def _say_replayed(replayed: ReplayedGolden) -> None:
    state = _("done") if replayed.is_done else _("not done")
    say(f"{replayed.task}  {replayed.golden}  {state}: {replayed.why}")


def _as_dict(opened: Project, report: HealthReport) -> dict[str, Any]:
    return {
        **FROM_0,
        "project": opened.name,
        "goldens": report.goldens,
        "runs": report.runs,
        "errors": report.errors,
        "counts": report.counts,
        "left_out": dict(report.left_out),
        "hidden": report.hidden,
        "findings": [_finding(item) for item in report.findings],
        "unmeasured": [
            {"name": item.name, "text": item.what, "fix": _fix(item.fix)} for item in report.unmeasured
        ],
    }


def _finding(item: HealthFinding) -> dict[str, Any]:
    found = project_finding_as_dict(item.finding)
    return {**found, "name": item.name, "task": item.task, "fix": _fix(item.fix)}


def _fix(fix: HealthFix | None) -> dict[str, str] | None:
    return {"kind": str(fix.kind), "target": fix.target} if fix is not None else None


def _print(report: HealthReport) -> None:
    from collector.project_health.health_finding import FIX_TITLES

    for item in report.findings:
        found = item.finding
        place = (found.where + at_step(found.steps)).strip()
        where = f"{place}: " if place else ""
        say(f"{found.severity}: {where}{finding_text(found)} [{found.code} {item.name}]")
        if item.fix is not None:
            say(f"  {_(FIX_TITLES[item.fix.kind])}: {item.fix.target}")
    for name, count in report.left_out.items():
        say(
            ngettext(
                "{name}: {count} more is not listed", "{name}: {count} more are not listed", count, name=name
            )
        )
    for unknown in report.unmeasured:
        say(_("not known: {what} [{name}]", what=unknown.what, name=unknown.name))
    if report.hidden:
        say(ngettext(
            "{count} finding is about a trajectory that you review blind",
            "{count} findings are about trajectories that you review blind", report.hidden,
        ))  # fmt: skip
    total = sum(report.counts.values())
    say(ngettext("{count} finding", "{count} findings", total) if total else _("Nothing was found"))
