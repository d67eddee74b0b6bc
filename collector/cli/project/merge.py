"""``waymark project merge``: merge what two people did, from a copy or for git."""

from __future__ import annotations

from dataclasses import asdict
from pathlib import Path

import click

from collector.cli.output import json_option, print_json, say
from collector.cli.progress import copying_progress
from collector.cli.shared_options import in_project
from collector.cli.verb_groups import project
from collector.model.errors import UserError
from collector.model.i18n import _
from collector.redaction_rules.project_redaction import bring_in_redacted
from collector.run.experiment.named_files import files_of_experiments
from collector.store.files import yaml_files
from collector.store.files.disk import Disk
from collector.store.project.copies import BroughtIn, brought_in_text
from collector.store.project.file_merge import merge_file, whole_conflict
from collector.store.project.project import Project
from collector.store.project.version_control import install_merge_driver

_FILE = click.Path(exists=True, dir_okay=False, path_type=Path)


@project.command()
@click.argument("copy", required=False, type=click.Path(exists=True, file_okay=False, path_type=Path))
@click.option("--driver", "versions", nargs=3, type=_FILE, metavar="BASE OURS THEIRS",
              help="Merge THEIRS into OURS, as git asks for; BASE is what both began with.")  # fmt: skip
@click.option("--path", "name", default="", help="Name of the file that --driver merges.")
@click.option("--install", "installs", is_flag=True, help="Let the git repository of the project merge so.")
@in_project
@json_option
def merge(
    copy: Path | None, versions: tuple[Path, Path, Path] | None, name: str, installs: bool, folder: Path,
    as_json: bool,
) -> int:  # fmt: skip
    """Bring in what somebody did in COPY, a copied folder of the project; or merge for git.

    It takes recordings, reviews, tasks, rules, anomalies and experiments that the project has not. What
    both have and differs stays, and is named. With --driver entries and keys are merged, with marks where
    both changed the same. Exit status: 0 done, 1 something differs, 2 wrong usage.
    """
    if [copy is not None, versions is not None, installs].count(True) != 1:
        raise click.UsageError(_("Give one of COPY, --driver and --install"))
    if versions is not None:
        return _merge_for_git(*versions, name, as_json=as_json)
    if installs:
        opened = Project.open(folder)
        opened.require_writable()
        around = install_merge_driver(opened.folder)
        if as_json:
            print_json({"repository": str(around)})
        else:
            say(_("Git merges the files of the project with Waymark in {folder}", folder=around))
        return 0
    assert copy is not None
    result = bring_in_redacted(Project.open(folder), copy, copying_progress(), files_of_experiments)
    return _print(result, as_json=as_json)


def _merge_for_git(base: Path, ours: Path, theirs: Path, name: str, *, as_json: bool) -> int:
    """Write the merge to ``ours``, with marks where both changed the same; the exit status."""
    shown = name or ours.name
    unread = _unreadable((base, ours, theirs), shown)
    if unread:
        Disk().write(ours, whole_conflict(ours.read_bytes(), theirs.read_bytes()))
        say(unread, err=True)
        return 1
    texts = [yaml_files.read_text(path, shown) for path in (base, ours, theirs)]
    merged = merge_file(texts[0], texts[1], texts[2], shown)
    Disk().write(ours, merged.with_markers.encode())
    entries = [conflict.rule_id or _("the lines before the first entry") for conflict in merged.conflicts]
    if as_json:
        print_json({"path": shown, "conflicts": entries})
    for entry in entries:
        say(_("{name}: both changed {entry}", name=shown, entry=entry), err=True)
    return int(bool(entries))


def _unreadable(versions: tuple[Path, Path, Path], name: str) -> str:
    """Which of the versions of a file cannot be merged, and why; empty when all can."""
    sides = (_("what both began with"), _("your version"), _("the other version"))
    for side, path in zip(sides, versions, strict=True):
        try:
            yaml_files.read_text(path, name)
        except UserError as error:
            both = _("Both versions stand between the marks of git now")
            return _("{side} cannot be merged. {why}. {both}", side=side, why=error, both=both)
    return ""


def _print(result: BroughtIn, *, as_json: bool) -> int:
    if as_json:
        print_json(asdict(result))
        return int(bool(result.kept))
    for place in (*result.trajectories, *result.files, *result.merged):
        say(f"  {place}")
    for place in result.kept:
        say(_("{name} differs, and stays as it was here", name=place), err=True)
    say(brought_in_text(result))
    return int(bool(result.kept))
