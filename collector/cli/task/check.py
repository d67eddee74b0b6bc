"""``waymark task check``: what is wrong with the tasks of a project."""

from __future__ import annotations

from pathlib import Path

from collector.cli.finding_output import finding_text, project_finding_as_dict
from collector.cli.output import json_option, print_json, say
from collector.cli.shared_options import project_argument
from collector.cli.verb_groups import task
from collector.model.i18n import _, ngettext
from collector.project_check.task_findings import task_findings
from collector.store.files.findings import NOTICE
from collector.store.project.project import Project


@task.command()
@project_argument
@json_option
def check(folder: Path, as_json: bool) -> int:
    """Check the tasks of PROJECT: unknown keys and values, and rules and states that they name.

    Exit status: 0 nothing or only notices found, 1 problems found, 2 wrong usage.
    """
    project = Project.open(folder, allow_damage=True)
    findings = task_findings(project)
    failures = sum(finding.severity != NOTICE for finding in findings)
    if as_json:
        problems = [project_finding_as_dict(finding) for finding in findings]
        print_json({"project": project.name, "problems": problems})
        return int(bool(failures))
    for finding in findings:
        place = f"{finding.where}: " if finding.where else ""
        say(f"{finding.severity}: {place}{finding_text(finding)} [{finding.code}]")
    problems_said = ngettext("{count} problem", "{count} problems", failures)
    say(problems_said if failures else _("Everything is in order"))
    return int(bool(failures))
