"""``waymark rules follow``: what would be injected along recorded trajectories (once, limits, chance)."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import click

from collector.cli.output import json_option, print_json
from collector.cli.rules.files import semantics_option, visible_corpus
from collector.cli.shared_options import as_person, project_argument, where_option
from collector.cli.step_numbers import FROM_1
from collector.cli.trajectory.reference import find_to_read
from collector.cli.verb_groups import rules
from collector.model.i18n import _
from collector.model.seeds import DEFAULT_SEED
from collector.project_rules.project_rules import ProjectRules
from collector.project_rules.recording_choice import RecordingChoice
from collector.rules.columns.corpus import Corpus
from collector.rules.evaluation.trajectory_run import (
    WHY_SUPPRESSED,
    Decision,
    DecisionKind,
    InjectionRun,
)
from collector.rules.grammar.model import DGARA, INJECTION, WAYMARK, Rule
from collector.rules.grammar.rule_files import read_text
from collector.rules.lint.indexes import AnomalyIndex


@rules.command()
@project_argument
@click.option("--trajectory", metavar="ID", help="One trajectory; all by default.")
@where_option
@click.option("--seed", type=int, default=DEFAULT_SEED, show_default=True, help="Seed of the random draws.")
@click.option(
    "--max-interferences",
    type=click.IntRange(0),
    default=1,
    show_default=True,
    help="Anomalies in an episode at most.",
)
@click.option("--every-rule", is_flag=True, help="Try all injection rules, not only those the task names.")
@semantics_option
@click.option(
    "--draw",
    type=click.Choice([WAYMARK, DGARA]),
    default=WAYMARK,
    help="With dgara, draw from 0 to 2 as D-GARA does: every probability counts half.",
)
@as_person
@json_option
def follow(
    folder: Path, trajectory: str | None, query: str, seed: int, max_interferences: int, every_rule: bool,
    semantics: str | None, draw: str, who: str, as_json: bool,
) -> int:  # fmt: skip
    """Show step by step what would be injected in PROJECT's trajectories, and why other rules are not.

    Replays are left out, and in a project of more than 200 runs all runs, unless `--where` or
    `--trajectory` asks for some.
    """
    if trajectory is not None and query:
        raise click.UsageError(_("--trajectory and --where cannot be used together"))
    own = ProjectRules.open(folder)
    known = own.rules()
    chosen = semantics or own.project.semantics
    if trajectory is not None:
        choice = RecordingChoice((find_to_read(trajectory, folder, who),))
        corpus = own.corpus(known, choice=choice)
    else:
        corpus = visible_corpus(own, known, query, who)
    anomalies = None
    if own.library_path is not None:
        anomalies = AnomalyIndex.read(read_text(own.library_path)).ids
    injections = [rule for rule in known if rule.kind == INJECTION]

    def run(number: int) -> InjectionRun:
        task = corpus.task_of(number)
        wanted = None if every_rule else (task.target_rule_ids if task is not None else ())
        return InjectionRun(
            injections,
            wanted,
            chosen,
            draw,
            seed,
            max_interferences,
            anomalies,
            own.images,
        )

    trajectories = list(_followed(corpus, run))
    if as_json:
        print_json(
            {
                **FROM_1,
                "project": own.project.name,
                "semantics": chosen,
                "seed": seed,
                "trajectories": trajectories,
            }
        )
    else:
        _print(trajectories)
    return 0


def _followed(corpus: Corpus, run: Callable[[int], InjectionRun]) -> Iterator[dict[str, Any]]:
    for number, ref in enumerate(corpus.trajectories):
        injecting = run(number)
        steps = [
            {"step": view.step, **_as_dict(decision)}
            for view in (corpus.view(position) for position in corpus.positions_of(number))
            for decision in injecting.step(view)
            if decision.kind in (DecisionKind.FIRED, DecisionKind.SUPPRESSED)
        ]
        yield {"trajectory": ref.id, "task": ref.task_id, "title": ref.title, "steps": steps}


def _as_dict(decision: Decision) -> dict[str, Any]:
    rule: Rule = decision.rule
    anomaly = decision.injection.interference_id if decision.injection is not None else ""
    return {
        "rule": rule.id, "fate": str(decision.kind), "anomaly": anomaly,
        "why": _(WHY_SUPPRESSED[decision.reason]) if decision.reason else "", "draw": decision.draw,
    }  # fmt: skip


def _print(trajectories: list[dict[str, Any]]) -> None:
    for followed in trajectories:
        click.echo(f"{followed['task']}/{followed['title']}" if followed["task"] else followed["title"])
        for step in followed["steps"]:
            what = (
                _("injects {anomaly}", anomaly=step["anomaly"])
                if step["fate"] == DecisionKind.FIRED
                else step["why"]
            )
            click.echo(
                "  " + _("step {step}: {rule}: {what}", step=step["step"], rule=step["rule"], what=what)
            )
        if not followed["steps"]:
            click.echo("  " + _("no rule of its task holds anywhere"))
