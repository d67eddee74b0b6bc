"""``waymark project redact``: hide by rules what was recorded, and search for what is left of it."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import click

from collector.cli.output import json_option, print_json, print_table, say
from collector.cli.progress import ProgressOutput, redacting_progress
from collector.cli.shared_options import in_project
from collector.cli.step_numbers import FROM_0
from collector.cli.verb_groups import project
from collector.model.errors import UserError
from collector.model.i18n import _, ngettext
from collector.redaction_rules.audit import AuditFinding, AuditResult, RedactionAudit
from collector.redaction_rules.project_redaction import (
    ProjectRedaction,
    ProjectRedactionReport,
    RedactedTrajectory,
)
from collector.store.project.project import Project

_QUESTION = "What is hidden is gone for good, with the undo of earlier edits. Go on?"


@project.command()
@click.argument("files", nargs=-1, type=click.Path(path_type=Path, exists=True))
@click.option("--dry-run", is_flag=True, help="Say what it comes to; change nothing.")
@click.option("--check", is_flag=True, help="Search all files for what is hidden; change nothing.")
@click.option(
    "--words", type=click.Path(path_type=Path, exists=True, dir_okay=False),
    help="A file of words, one a line, that --check looks for, too.",
)  # fmt: skip
@click.option("--yes", is_flag=True, help="Confirm the action without prompting.")
@in_project
@json_option
def redact(
    files: tuple[Path, ...], dry_run: bool, check: bool, words: Path | None, yes: bool, folder: Path,
    as_json: bool,
) -> int:  # fmt: skip
    """Hide what the rules of `redact.yaml` hide in all that was recorded, for good.

    With --check it searches the project, or FILES and folders, for what is hidden, and ends with status 1
    when something is there.
    """
    if (files or words) and not check:
        raise click.UsageError(_("FILES and --words are for --check"))
    opened = Project.open(folder)
    if check:
        return _check(opened, files, words, as_json)
    redaction = ProjectRedaction(opened)
    if not redaction.rules and not as_json:
        say(_("The project has no rules of redaction: they are in {name}", name=opened.paths.redaction.name))
    if not dry_run and redaction.rules and not yes:
        click.confirm(_QUESTION, abort=True, err=as_json)
    report = redaction.look(redacting_progress()) if dry_run else redaction.apply(redacting_progress())
    # What the rules hide is not yet known to the audit before it is hidden.
    left = [] if dry_run or not redaction.rules else RedactionAudit(opened).own_files().findings
    if as_json:
        print_json({**FROM_0, **report.as_dict(), "left": [finding.as_dict() for finding in left]})
    else:
        _print_report(report, dry_run)
        if left:
            say(_("What is hidden is also written beside the trajectories:"))
        _print_findings(left)
    return 1 if report.problems else 0


def _print_report(report: ProjectRedactionReport, dry_run: bool) -> None:
    rows = [(rule.name, report.held.get(rule.name, 0)) for rule in report.rules]
    if rows:
        print_table((_("Rule"), _("Screens")), rows)
    for item in report.trajectories:
        say(f"{item.name}: {_of_trajectory(item)}")
        for rule, count in item.doubted.items():
            sentence = ngettext(
                "{count} screen is hidden whole: {rule} cannot say whether it holds there",
                "{count} screens are hidden whole: {rule} cannot say whether it holds there",
                count,
                rule=rule,
            )  # fmt: skip
            say(f"  {sentence}")
        if item.videos:
            say("  " + _("nothing is hidden in its videos: {names}", names=", ".join(item.videos)))
    done = f"{len(report.trajectories) - len(report.problems):,}"
    total = f"{report.total:,}"
    if dry_run:
        say(_("Trajectories that would be changed: {count} of {total}", count=done, total=total))
    else:
        say(_("Trajectories changed: {count} of {total}", count=done, total=total))
    if report.id:
        say(_("The report with the new digests: {path}", path=f"redactions/{report.id}.json"))
    if report.git and report.trajectories:
        say(_("Files as they were before are still in the history of git: {folder}", folder=report.git))


def _of_trajectory(item: RedactedTrajectory) -> str:
    if item.problem:
        return item.problem
    steps = ngettext("{count} step", "{count} steps", len(item.steps))
    words = ngettext("{count} text masked", "{count} texts masked", item.words)
    return f"{steps}, {words}"


def _check(opened: Project, files: tuple[Path, ...], words: Path | None, as_json: bool) -> int:
    audit = RedactionAudit(opened, _words_in(words))
    output = ProgressOutput()

    def show(name: str) -> None:
        output.show(_("Searching {name}", name=name), last=False)

    result = audit.search(files, show) if files else audit.project(show)
    output.show("", last=True)
    if as_json:
        unread = [{"where": where, "why": why} for where, why in result.unread]
        print_json(
            {
                "clean": result.is_clean,
                "files": result.files,
                "knows_words": result.knows_words,
                "findings": [finding.as_dict() for finding in result.findings],
                "unread": unread,
                "in_rules": result.in_rules,
            }
        )
    else:
        _print_audit(result)
    return 0 if result.is_clean else 1


def _print_findings(findings: Sequence[AuditFinding]) -> None:
    """A line for each, and below those that go by the same act what that is."""
    for to_do in dict.fromkeys(finding.to_do for finding in findings):
        for finding in findings:
            if finding.to_do == to_do:
                place = f":{finding.place}" if finding.place else ""
                say(f"{finding.where}{place}: {finding.what}")
        if to_do:
            say(f"  {to_do}")


def _print_audit(result: AuditResult) -> None:
    _print_findings(result.findings)
    for where, why in result.unread:
        say(_("Not searched: {where}: {why}", where=where, why=why))
    if result.in_rules:
        say(
            _(
                "No leak, but who gets redact.yaml reads it: the rules name what they hide in line {lines}. "
                "A pattern of its form, as \\d+, names nothing",
                lines=", ".join(dict.fromkeys(result.in_rules)),
            )
        )
    if not result.knows_words:
        say(
            _(
                "This computer knows no words that were hidden here, so only the rules were evaluated. Give "
                "a list with --words, or search where they were hidden."
            )
        )
    searched = ngettext("{count} file searched", "{count} files searched", result.files)
    if result.is_clean:
        say(_("Nothing that is hidden was found: {searched}", searched=searched))
    else:
        found = ngettext(
            "{count} place shows what is hidden", "{count} places show what is hidden", len(result.findings)
        )
        say(f"{found}: {searched}")


def _words_in(path: Path | None) -> list[str]:
    if path is None:
        return []
    try:
        return [line.strip() for line in path.read_text("utf-8").splitlines() if line.strip()]
    except (OSError, UnicodeDecodeError) as error:
        raise UserError(_("{path} cannot be read", path=path), str(error), _("Save it as UTF-8")) from None
