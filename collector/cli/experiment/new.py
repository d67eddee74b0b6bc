"""``waymark experiment new``: write a new experiment into the project."""

from __future__ import annotations

from pathlib import Path

import click

from collector.agents.registry import agent_kinds
from collector.cli.diagnostic_output import as_dict, print_diagnostics
from collector.cli.output import json_option, print_json, say
from collector.cli.shared_options import in_project
from collector.cli.verb_groups import experiment
from collector.model.episode_text import BASELINE
from collector.model.i18n import _
from collector.model.seeds import DEFAULT_SEED
from collector.run.experiment.files import check_experiment, new_experiment
from collector.run.experiment.keys import ALL
from collector.run.experiment.scope import scope_of
from collector.run.experiment.template import new_text
from collector.store.project.project import Project

_GOLDEN_TASKS = "golden:>0"


@experiment.command()
@click.argument("name")
@click.option("--task", "tasks", multiple=True, help="Id of a task; may be given again.")
@click.option("--where", default="", metavar="QUERY", help='Tasks that fit, as in "app:Shop level:easy".')
@click.option("--agent", "agents", multiple=True, help="Kind of an agent; may be given again.")
@click.option("--condition", "conditions", multiple=True, help="Anomaly, rule, or rules; may be given again.")
@click.option(
    "--offline", is_flag=True,
    help="Ask the steps of the golden trajectories of the tasks, without a phone.",
)  # fmt: skip
@click.option("--seed", "seeds", multiple=True, type=click.IntRange(0), help="A seed; may be given again.")
@click.option("--description", default="", help="One sentence for people.")
@in_project
@json_option
def new(
    name: str, tasks: tuple[str, ...], where: str, agents: tuple[str, ...], conditions: tuple[str, ...],
    offline: bool, seeds: tuple[int, ...], description: str, folder: Path, as_json: bool,
) -> int:  # fmt: skip
    """Make the experiment NAME in experiments/ of the project.

    Without options it runs the golden agent on all tasks with a golden trajectory, without anomalies. Exit
    status: 0 it can be run, 1 it is written and has errors, 2 wrong usage.
    """
    if offline and conditions:
        raise click.UsageError(_("Steps that are asked offline have no {key}", key="conditions"))
    if tasks and where:
        raise click.UsageError(_("Use either --task or --where"))
    project, kinds = Project.open(folder), agent_kinds().kinds
    scope = scope_of(project, kinds)
    chosen_agents = agents or tuple(kinds)[:1]
    if not tasks and not where and chosen_agents == ("golden",) and scope.select(_GOLDEN_TASKS):
        where = _GOLDEN_TASKS
    met = conditions if BASELINE in conditions else (BASELINE, *conditions)
    text = new_text(
        tasks or ALL, where, chosen_agents, met, seeds or (DEFAULT_SEED,), description, offline=offline
    )
    path = new_experiment(project, name, text)
    checked = check_experiment(path, scope, project.paths.relative(path))
    if as_json:
        findings = [as_dict(item) for item in checked.diagnostics]
        print_json({"experiment": name, "path": str(path), "findings": findings})
        return int(bool(checked.errors))
    say(_("Made the experiment {name} in {path}", name=name, path=path))
    if checked.diagnostics:
        print_diagnostics(checked.diagnostics)
    return int(bool(checked.errors))
