"""``waymark states propose``: an operator's proposal of essential states for a task."""

from __future__ import annotations

from pathlib import Path

import click

from collector.cli.output import print_json, print_table, say
from collector.cli.states.options import open_work, print_change, state_options, state_values, task_verb
from collector.cli.step_numbers import StepNumber
from collector.cli.verb_groups import states
from collector.model.errors import UserError
from collector.model.i18n import _
from collector.rules.evaluation.explanation import sentence as sentence_of
from collector.states.documents.proposal import Proposal, ProposedState
from collector.states.documents.proposed_rules import conditions_of
from collector.states.proposing import Proposing, same_course_warning
from collector.states.work_files.blindness import may_see_proposal
from collector.states.work_files.state_work import StateWork, document_of

_LONGEST = 100
_step = click.option(
    "--step", type=StepNumber(), help="The step of your golden trajectory that reaches it, from 1."
)
_state = click.argument("state_id", metavar="STATE")


@states.group()
def propose() -> None:
    """Propose the states of a task from your own golden trajectory, blind to the other operator."""


@propose.command()
@task_verb
@click.option("--golden", default="", metavar="TRAJECTORY", help="Your golden trajectory of the task.")
def start(task_id: str, golden: str, who: str, folder: Path, as_json: bool) -> None:
    """Open your proposal for TASK."""
    print_change(Proposing(open_work(folder), task_id, who).start(golden), who, folder, as_json=as_json)


@propose.command()
@task_verb
@click.argument("trajectory")
def golden(task_id: str, trajectory: str, who: str, folder: Path, as_json: bool) -> None:
    """Choose the golden TRAJECTORY of your own that the proposal is made from."""
    print_change(
        Proposing(open_work(folder), task_id, who).choose_golden(trajectory), who, folder, as_json=as_json
    )


@propose.command()
@task_verb
@state_options
@_step
@click.option("--position", type=click.IntRange(1), default=None, help="Its place, from 1; else the last.")
def add(
    task_id: str, sentence: str | None, conditions: str | None, after: tuple[str, ...],
    optional: bool | None, alternatives: tuple[str, ...], step: int | None, position: int | None, who: str,
    folder: Path, as_json: bool,
) -> None:  # fmt: skip
    """Add a state to your proposal; it gets the next free number as its id."""
    values = state_values(sentence, conditions, after, optional, alternatives)
    state = ProposedState("", **{"step": step, **values})
    at = position - 1 if position is not None else None
    print_change(Proposing(open_work(folder), task_id, who).add(state, at), who, folder, as_json=as_json)


@propose.command()
@task_verb
@_state
@state_options
@_step
def edit(
    task_id: str, state_id: str, sentence: str | None, conditions: str | None, after: tuple[str, ...],
    optional: bool | None, alternatives: tuple[str, ...], step: int | None, who: str, folder: Path,
    as_json: bool,
) -> None:  # fmt: skip
    """Change STATE of your proposal; what is not given stays."""
    values = state_values(sentence, conditions, after, optional, alternatives)
    if step is not None:
        values["step"] = step
    print_change(
        Proposing(open_work(folder), task_id, who).edit(state_id, **values), who, folder, as_json=as_json
    )


@propose.command()
@task_verb
@_state
@click.argument("position", type=click.IntRange(1))
def move(task_id: str, state_id: str, position: int, who: str, folder: Path, as_json: bool) -> None:
    """Put STATE of your proposal at POSITION, counted from 1."""
    change = Proposing(open_work(folder), task_id, who).move(state_id, position - 1)
    print_change(change, who, folder, as_json=as_json)


@propose.command()
@task_verb
@_state
def remove(task_id: str, state_id: str, who: str, folder: Path, as_json: bool) -> None:
    """Remove STATE from your proposal."""
    print_change(Proposing(open_work(folder), task_id, who).remove(state_id), who, folder, as_json=as_json)


@propose.command()
@task_verb
def sign(task_id: str, who: str, folder: Path, as_json: bool) -> None:
    """Sign your proposal: from then on you see the other operator's."""
    work = open_work(folder)
    print_change(Proposing(work, task_id, who).sign(), who, folder, as_json=as_json)
    of_task = work.of_task(task_id)
    if all(proposal.signed for proposal in of_task.proposals):
        warning = same_course_warning(work, of_task)
        if warning:
            say(warning, err=True)


@propose.command()
@task_verb
def withdraw(task_id: str, who: str, folder: Path, as_json: bool) -> None:
    """Take your signature back, to change the proposal."""
    print_change(Proposing(open_work(folder), task_id, who).withdraw(), who, folder, as_json=as_json)


@propose.command()
@task_verb
def discard(task_id: str, who: str, folder: Path, as_json: bool) -> None:
    """Delete your proposal for TASK; a signed one only after its signature is taken back."""
    print_change(Proposing(open_work(folder), task_id, who).discard(), who, folder, as_json=as_json)


@propose.command()
@task_verb
@click.option("--of", "other", default="", metavar="WHO", help="Whose proposal; your own by default.")
def show(task_id: str, other: str, who: str, folder: Path, as_json: bool) -> None:
    """Show a proposal; another's only when you may see it."""
    proposal = _shown(open_work(folder), task_id, who, other or who)
    if as_json:
        print_json({"proposal": document_of(proposal)})
        return
    signed = _("signed {time}", time=proposal.signed[:19]) if proposal.signed else _("not signed")
    say(f"{proposal.who}  {proposal.golden or '-'}  {signed}")
    header = ("STATE", "STEP", "AFTER", "MARKS", "SENTENCE", "CONDITIONS")
    print_table(header, list(map(_row, proposal.states)), last=_LONGEST)


def _shown(work: StateWork, task_id: str, who: str, other: str) -> Proposal:
    may_see_proposal(work.of_task(task_id), who, other).require(
        _("The proposal of {who} is not shown", who=other)
    )
    proposal = work.proposal(task_id, other)
    if proposal is None:
        raise UserError(_("{who} has no proposal for {task}", who=other, task=task_id))
    return proposal


def _row(state: ProposedState) -> tuple[object, ...]:
    marks = [_("optional")] if state.optional else []
    marks += [_("or {state}", state=name) for name in state.alternatives]
    conditions = conditions_of(state.conditions)
    return (
        state.id, "-" if state.step is None else state.step + 1, ", ".join(state.after) or "-",
        ", ".join(marks) or "-", state.sentence, sentence_of(conditions) if conditions.conditions else "-",
    )  # fmt: skip
