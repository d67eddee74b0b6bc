"""``waymark project health``: what in a project tells nothing or no longer holds, and suspicious runs."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from collector.cli.finding_output import finding_text, project_finding_as_dict
from collector.cli.output import json_option, print_json, say
from collector.cli.progress import indexing_progress
from collector.cli.shared_options import as_person, project_argument
from collector.cli.step_numbers import FROM_0, at_step
from collector.cli.verb_groups import project
from collector.model.i18n import _, ngettext
from collector.store.catalogue.catalogue import Catalogue
from collector.store.project.project import Project

if TYPE_CHECKING:
    from collector.project_health.health_finding import HealthFinding, HealthReport


@project.command()
@project_argument
@click.option(
    "--only", "codes", multiple=True, metavar="CODE", help="Only findings of this code; may be given again."
)
@click.option("--task", "tasks", multiple=True, help="Id of a task; may be given again.")
@as_person
@json_option
def health(folder: Path, codes: tuple[str, ...], tasks: tuple[str, ...], who: str, as_json: bool) -> int:
    """Tell the health of PROJECT from what is recorded: no phone is needed, and nothing is changed.

    Tasks that are done at the start, by random actions, by no run or by every run; instructions that say the
    answer; essential states that no golden or every run reaches; anomalies that never appear or never matter;
    judges that drift; outdated verdicts; goldens that do not replay; successes that look wrong. What too
    little is recorded of is named: `waymark experiment new --agent monkey` and `--agent golden` make
    experiments that record it. Exit status: 0 nothing found, 1 something found, 2 wrong usage.
    """
    from collector.project_health.health import check_health  # loads the linters and numpy

    opened = Project.open(folder)
    with Catalogue(opened) as catalogue:
        catalogue.refresh(indexing_progress())
        report = check_health(opened, catalogue, only=codes, tasks=tasks, who=who)
    if as_json:
        print_json(_as_dict(opened, report))
    else:
        _print(report)
    return int(bool(report.counts))


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
        "unmeasured": [{"name": item.name, "text": item.what} for item in report.unmeasured],
    }


def _finding(item: HealthFinding) -> dict[str, Any]:
    fix = {"kind": str(item.fix.kind), "target": item.fix.target} if item.fix is not None else None
    return {**project_finding_as_dict(item.finding), "name": item.name, "task": item.task, "fix": fix}


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
