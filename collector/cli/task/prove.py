"""``waymark task prove``: whether the tasks with a target can be done, and in how many actions."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import click

from collector.cli.output import json_option, print_json, print_table, say
from collector.cli.progress import ProgressOutput
from collector.cli.shared_options import VARIATION_HELP, VARIATION_METAVAR, in_project
from collector.cli.verb_groups import task
from collector.hierarchy.captions import caption
from collector.model.app_data.kept_proof import length_text
from collector.model.errors import UserError
from collector.model.i18n import _, ngettext
from collector.model.seeds import DEFAULT_SEED
from collector.model.task import Task
from collector.model.variation.phone_variation import DEFAULT
from collector.oracle.proof import TaskProof, with_proof
from collector.store.project.project import Project

MAX_SEARCH, SHORTEST = 20_000, 4_000
"""States of an app: of each part, and among which a shorter way is looked for."""


@task.command()
@click.argument("task_ids", metavar="[TASK]...", nargs=-1)
@click.option(
    "--variation", default=DEFAULT, show_default=True, metavar=VARIATION_METAVAR, help=VARIATION_HELP
)
@click.option("--seed", type=int, default=DEFAULT_SEED, show_default=True, help="Seed of the apps' content.")
@click.option(
    "--max-search", type=click.IntRange(1), default=MAX_SEARCH, show_default=True,
    help="States of an app that are looked at, of each part of a target.",
)  # fmt: skip
@click.option(
    "--shortest", type=click.IntRange(0), default=SHORTEST, show_default=True, metavar="STATES",
    help="States of an app among which a shorter way is looked for, of each app; 0 for none.",
)  # fmt: skip
@click.option("--keep", is_flag=True, help="Keep what is proved in the tasks of the project.")
@in_project
@json_option
def prove(
    task_ids: tuple[str, ...], variation: str, seed: int, max_search: int, shortest: int, keep: bool,
    folder: Path, as_json: bool,
) -> int:  # fmt: skip
    """Prove that tasks can be done: all that have a target, or only each TASK.

    It searches the apps of the virtual phone for moves that reach the target, plays them, and looks at the
    reward. --keep writes into each proved task in how many actions.

    Exit status: 0 all are proved, 1 some are not.
    """
    proofs = prove_tasks(folder, task_ids, variation, seed, max_search, shortest, keep=keep)
    if as_json:
        print_json({"proofs": [proof.as_dict() for proof in proofs]})
    else:
        say_proofs(proofs, with_actions=bool(task_ids))
    return int(not all(proof.is_proved for proof in proofs))


def prove_tasks(
    folder: Path, task_ids: Sequence[str] = (), variation: str = DEFAULT, seed: int = DEFAULT_SEED,
    max_search: int = MAX_SEARCH, shortest: int = SHORTEST, *, keep: bool,
) -> list[TaskProof]:  # fmt: skip
    """Prove the named tasks of a project, or all with a target, and keep what is proved, also on Ctrl+C."""
    # These load the virtual phone, which other verbs of tasks do not need.
    from collector.agents.agent import TREE
    from collector.environment.phone_environment import PhoneEnvironment
    from collector.oracle.proving import TaskProver
    from collector.oracle.search import SearchLimit

    environment = PhoneEnvironment(folder, observes=TREE)
    tasks = _chosen(environment.source.tasks, [environment.source.task(name) for name in task_ids])
    prover, progress = TaskProver(environment, SearchLimit(max_search, shortest)), ProgressOutput()
    proofs: list[TaskProof] = []
    try:
        for number, one in enumerate(tasks):
            progress.show(_("{done} of {total} tasks are tried", done=number, total=len(tasks)), last=False)
            proofs.append(prover.prove(one, variation, seed))
    finally:
        progress.show("", last=True)
        environment.close()
        if keep:
            _keep(proofs, folder)
    return proofs


def _keep(proofs: Sequence[TaskProof], folder: Path) -> None:
    """Write what was proved into the tasks of a project."""
    found = {proof.task: proof for proof in proofs}
    project = Project.open(folder)
    tasks = [with_proof(one, found[one.id]) if one.id in found else one for one in project.tasks]
    if tasks != list(project.tasks):
        project.save_tasks(tasks)


def _chosen(tasks: Sequence[Task], named: Sequence[Task]) -> Sequence[Task]:
    """The named tasks; without one all that have a target."""
    chosen = named or [one for one in tasks if one.target is not None]
    if not chosen:
        raise UserError(_("No task of the project has a target"), "", _("See docs/guide/targets.md"))
    return chosen


def say_proofs(proofs: Sequence[TaskProof], *, with_actions: bool = False) -> None:
    """Print proofs as a table, and why some tasks are not proved."""
    for proof in proofs:
        if not with_actions:
            break
        for number, action in enumerate(proof.actions, 1):
            say(f"{number:>3} {caption(action)}")
    print_table(
        ("TASK", "PROVED", "ACTIONS", "STATES", "SECONDS"),
        [
            (
                proof.task, _("yes") if proof.is_proved else _("no"), _length(proof), proof.states,
                f"{proof.seconds:.1f}",
            )
            for proof in proofs
        ],
    )  # fmt: skip
    for proof in proofs:
        if proof.problem:
            say(_("{task}: {problem}", task=proof.task, problem=proof.problem))
    proved = sum(proof.is_proved for proof in proofs)
    total = len(proofs)
    say(ngettext("{proved} of {count} task is proved", "{proved} of {count} tasks are proved", total,
                 proved=proved))  # fmt: skip


def _length(proof: TaskProof) -> str:
    """The number of actions, and whether there is no shorter way."""
    return length_text(proof.at_least, proof.length) if proof.is_proved else "-"
