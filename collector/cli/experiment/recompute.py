"""``waymark experiment recompute``: decide and judge stored episodes again, and compare."""

from __future__ import annotations

from dataclasses import asdict
from itertools import chain
from pathlib import Path
from typing import Any

import click

from collector.cli.output import json_option, print_json, say
from collector.cli.shared_options import in_project
from collector.cli.verb_groups import experiment
from collector.model.i18n import _, ngettext
from collector.model.verdicts.judgement import UNDECIDED
from collector.run.offline.answers_again import compare_answers, rejudge_answers
from collector.run.recomputation.recompute import Recomputation, recompute_runs
from collector.run.recomputation.rejudge import Rejudged, rejudge_runs


@experiment.command()
@click.argument("names", metavar="EXPERIMENT|TRAJECTORY...", nargs=-1, required=True)
@click.option(
    "--rejudge",
    is_flag=True,
    help="Before, judge the episodes anew whose verdict alone is stale, and store verdict and outcome.",
)
@in_project
@json_option
def recompute(names: tuple[str, ...], rejudge: bool, folder: Path, as_json: bool) -> int:
    """Recompute the decisions, draws, validations and verdicts of stored episodes, and compare them.

    Names are those of experiments or ids of runs. --rejudge stores verdicts and outcomes by the present
    rules, states and golden trajectories. Exit status 1 when something differs.
    """
    rejudged = []
    anew = chain(rejudge_runs(folder, names), rejudge_answers(folder, names)) if rejudge else ()
    for judged_anew in anew:
        rejudged.append(judged_anew)
        if not as_json:
            _print_rejudged(judged_anew)
    results = []
    for result in recompute_runs(folder, names, compare_answers):
        results.append(result)
        if not as_json:
            _print(result)
    equal = sum(result.is_equal for result in results)
    if as_json:
        document: dict[str, Any] = {"episodes": [_as_dict(result) for result in results]}
        print_json({**document, "rejudged": list(map(asdict, rejudged))} if rejudge else document)
    else:
        say(
            ngettext(
                "{equal} of {count} episode is the same when it is recomputed",
                "{equal} of {count} episodes are the same when they are recomputed",
                len(results), equal=equal,
            )
        )  # fmt: skip
    return 0 if equal == len(results) else 1


def _print_rejudged(item: Rejudged) -> None:
    before, now = item.before or UNDECIDED, item.now or UNDECIDED
    say(f"{item.trajectory}: " + _("judged anew: {now}, was {before}", now=now, before=before))


def _print(result: Recomputation) -> None:
    """Say what differs; an episode that is the same has nothing to say but that its rules changed."""
    if result.problem:
        say(f"{result.trajectory}: {result.problem}")
        return
    if result.rules_changed:
        say(f"{result.trajectory}: " + _("the rules of the project have changed since it was run"))
    for difference in result.differences:
        say(f"{result.trajectory}: {difference}")


def _as_dict(result: Recomputation) -> dict[str, Any]:
    return {
        "trajectory": result.trajectory, "task": result.task, "equal": result.is_equal,
        "compared": dict(result.counts), "rules_changed": result.rules_changed, "problem": result.problem,
        "differences": [
            {"what": item.what, "number": item.number, "live": item.live, "recomputed": item.recomputed}
            for item in result.differences
        ],
    }  # fmt: skip
