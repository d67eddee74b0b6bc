"""``waymark judge samples``: write what people labelled as a data set to train a judge with."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from collector.cli.output import json_option, print_json, print_table, say
from collector.cli.progress import writing_progress
from collector.cli.shared_options import force_option, in_project, split_options
from collector.cli.verb_groups import judge
from collector.model.dataset.split import TRAIN, Split
from collector.model.errors import UserError
from collector.model.i18n import _
from collector.model_judges.judge_files import named_judge
from collector.model_judges.methods.windows_judge import WindowsJudge
from collector.model_judges.training.sample_files import A3RM, FORMATS, write_samples
from collector.model_judges.training.samples import (
    MINED,
    POSITIVES,
    SampleChoice,
    SampleCounts,
    make_samples,
)
from collector.project_rules.project_rules import ProjectRules
from collector.store.project.project import Project


@judge.command()
@click.argument("output", metavar="FOLDER", type=click.Path(path_type=Path))
@click.option(
    "--format",
    "form",
    type=click.Choice(FORMATS),
    default=A3RM,
    show_default=True,
    help="What reads it: A3RM's own items, LLaMA-Factory, TRL, or parquet for EasyR1 and verl.",
)
@click.option(
    "--judge",
    "name",
    default="a3rm",
    show_default=True,
    metavar="JUDGE",
    help="Whose questions the samples are; one that asks about each state.",
)
@split_options("0.8/0.2")
@click.option(
    "--repeat-positives",
    type=click.IntRange(min=1, max=100),
    default=POSITIVES,
    show_default=True,
    help="How often a positive sample stands in the file to train with.",
)
@click.option(
    "--negatives-of",
    default="",
    metavar="JUDGE",
    help="Of runs take the windows alone in which this judge said yes and people no.",
)
@click.option("--license", "licence", default="", metavar="ID", help="Licence of the data set, for its card.")
@click.option("--counts", "only_counts", is_flag=True, help="Say what it would hold, and write nothing.")
@force_option
@in_project
@json_option
def samples(
    output: Path, form: str, name: str, split: Split | None, repeat_positives: int, negatives_of: str,
    licence: str, only_counts: bool, replaces: bool, folder: Path,
    as_json: bool,
) -> None:  # fmt: skip
    """Write the labels of people as a data set in the new folder FOLDER: questions of a judge, answered.

    A window is positive where people saw a state reached. No trajectory is on both sides of the split.
    """
    project = ProjectRules(Project.open(folder))
    chosen = named_judge(name, project.project, sends=False)
    if not isinstance(chosen, WindowsJudge):
        raise UserError(
            _("{name} asks about no windows", name=name), "", _("Use a judge of the method windows")
        )
    choice = SampleChoice(split or Split({TRAIN: 1}), repeat_positives, negatives_of)
    found, counts = make_samples(project.project, chosen, choice)
    left_out = 0
    if not only_counts:
        _require_room(output, replaces)
        counts, left_out = write_samples(
            project, chosen, found, choice, output, form, licence, counts.split_people, writing_progress()
        )
    if as_json:
        print_json(
            {
                "folder": "" if only_counts else str(output),
                "left_out": left_out,
                **_as_dict(counts, choice.split),
            }
        )
        return
    _print_counts(counts, choice.split)
    if left_out:
        say(_("Left out, because a screen cannot be seen: {count}", count=left_out))
    if not only_counts:
        say(_("Wrote {path}", path=output))


def _require_room(output: Path, replaces: bool) -> None:
    """Raise UserError for a folder that is there, unless it is a data set that is to be replaced."""
    if not output.exists():
        return
    is_data_set = (output / "README.md").is_file() and any(output.glob("train.*"))
    if not replaces or not is_data_set:
        to_do = _("Give --force to replace it") if is_data_set else _("Name a folder that is not there yet")
        raise UserError(_("{name} is there already", name=output), "", to_do)


def _as_dict(counts: SampleCounts, split: Split) -> dict[str, Any]:
    sides = {
        side: {
            "positive": counts.samples[side, "positive"], "negative": counts.samples[side, "negative"],
            "mined": counts.samples[side, MINED], "tasks": counts.tasks[side],
            "trajectories": counts.trajectories[side],
        }
        for side in split.shares
    }  # fmt: skip
    return {**sides, "apps": dict(counts.apps), "split_people": counts.split_people}


def _print_counts(counts: SampleCounts, split: Split) -> None:
    values = _as_dict(counts, split)
    header = (_("Side"), _("Positive"), _("Negative"), _("Mined negative"), _("Tasks"), _("Trajectories"))
    print_table(header, [(side, *values[side].values()) for side in split.shares])
    if counts.split_people:
        say(_("People are split on {count} states, which give no sample", count=counts.split_people))
