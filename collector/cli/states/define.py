"""``waymark states define``: two operators settle the differences of their proposals."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import click

from collector.cli.output import print_json, print_table, say
from collector.cli.states.options import open_work, print_change, state_options, state_values, task_verb
from collector.cli.verb_groups import states
from collector.model.errors import UserError
from collector.model.i18n import _
from collector.states.defining import Defining, is_decided, realignment_sentence
from collector.states.documents.definition import (
    CHOOSE_A,
    CHOOSE_B,
    DROPPED,
    EDITED,
    Definition,
    StateDecision,
)
from collector.states.documents.proposal import ProposedState
from collector.states.documents.proposal_codec import state_values as plain_state
from collector.states.proposal_alignment import ProposalAlignment, StatePair, difference_sentence
from collector.states.work_files.blindness import may_see_proposal

_KEEP, _DROP, _EDIT = "keep", "drop", "edit"
_LONGEST = 60
_pair = click.argument("pair")


@states.group()
def define() -> None:
    """Align two signed proposals, settle their differences, and write the agreed states.

    The operators are A and B; a pair is named by the state of A, as A3, or of B, as B5.
    """


@define.command()
@task_verb
@click.option("--operator", "operators", multiple=True, metavar="WHO",
              help="An operator, when there are more than two proposals; give two.")  # fmt: skip
def start(task_id: str, operators: tuple[str, ...], who: str, folder: Path, as_json: bool) -> None:
    """Open the definition of TASK."""
    if len(operators) not in (0, 2):
        raise UserError(_("The definition is of two operators"), "", _("Name two of them"))
    pair = (operators[0], operators[1]) if operators else None
    print_change(Defining(open_work(folder), task_id, who).start(pair), who, folder, as_json=as_json)


@define.command()
@task_verb
def show(task_id: str, who: str, folder: Path, as_json: bool) -> None:
    """Show the pairs of both proposals, in what they differ, and what is decided."""
    work = open_work(folder)
    of_task = work.of_task(task_id)
    for operator in of_task.operators:
        permission = may_see_proposal(of_task, who, operator)
        permission.require(_("The definition of {task} is not shown", task=task_id))
    alignment, definition = Defining(work, task_id, who).alignment(of_task), of_task.definition
    again = realignment_sentence(of_task)
    if as_json:
        print_json(
            {
                "task": task_id,
                "operators": [alignment.a.who, alignment.b.who],
                "finished": definition.finished if definition is not None else "",
                "realign": again,
                "pairs": [_pair_as_dict(alignment, pair, definition) for pair in alignment.pairs],
            }
        )
        return
    say(f"A {alignment.a.who} {alignment.a.golden}   B {alignment.b.who} {alignment.b.golden}")
    print_table(
        ("PAIR", "A", "B", "DIFFERENCE", "DECISION"),
        [
            (pair.key, pair.a.label if pair.a else "-", pair.b.label if pair.b else "-",
             difference_sentence(alignment, pair), _decision_text(definition, pair))
            for pair in alignment.pairs
        ],
        last=_LONGEST,
    )  # fmt: skip
    if again:
        say(again)


@define.command()
@task_verb
@_pair
@click.argument("choice", type=click.Choice((CHOOSE_A, CHOOSE_B, _KEEP, _DROP, _EDIT)))
@state_options
def decide(
    task_id: str, pair: str, choice: str, sentence: str | None, conditions: str | None,
    after: tuple[str, ...], optional: bool | None, alternatives: tuple[str, ...], who: str, folder: Path,
    as_json: bool,
) -> None:  # fmt: skip
    """Decide on PAIR: the state of a or b, keep the only one, drop it, or edit it by the options.

    In an edited state --after and --alternative name pairs, as A3; what is not given is as A has it.
    """
    defining = Defining(open_work(folder), task_id, who)
    values = state_values(sentence, conditions, after, optional, alternatives)
    if values and choice != _EDIT:
        raise UserError(_("Only `edit` takes options of a state"))
    made, state = _choice(defining.alignment(), pair, choice, values)
    print_change(defining.decide(pair, made, state), who, folder, as_json=as_json)


@define.command("open")
@task_verb
@_pair
def open_(task_id: str, pair: str, who: str, folder: Path, as_json: bool) -> None:
    """Take the decision on PAIR back."""
    print_change(Defining(open_work(folder), task_id, who).take_back(pair), who, folder, as_json=as_json)


@define.command()
@task_verb
def settle(task_id: str, who: str, folder: Path, as_json: bool) -> None:
    """Decide every pair on which both operators agree."""
    print_change(Defining(open_work(folder), task_id, who).settle_agreed(), who, folder, as_json=as_json)


@define.command()
@task_verb
@click.argument("a")
@click.argument("b")
@click.option("--apart", is_flag=True, help="Say that they are two states.")
def pair(task_id: str, a: str, b: str, apart: bool, who: str, folder: Path, as_json: bool) -> None:
    """Say that state A of the first operator and B of the second are the same."""
    change = Defining(open_work(folder), task_id, who).pair_states(a, b, same=not apart)
    print_change(change, who, folder, as_json=as_json)


@define.command()
@task_verb
def realign(task_id: str, who: str, folder: Path, as_json: bool) -> None:
    """Align proposals that were changed since; decisions on states that did not change stay."""
    print_change(Defining(open_work(folder), task_id, who).realign(), who, folder, as_json=as_json)


@define.command()
@task_verb
def finish(task_id: str, who: str, folder: Path, as_json: bool) -> None:
    """Write the agreed states into rules/states.yaml, and let TASK name them."""
    print_change(Defining(open_work(folder), task_id, who).finish(), who, folder, as_json=as_json)


@define.command()
@task_verb
def reopen(task_id: str, who: str, folder: Path, as_json: bool) -> None:
    """Open a finished definition again, to decide otherwise."""
    print_change(Defining(open_work(folder), task_id, who).reopen(), who, folder, as_json=as_json)


def _choice(
    alignment: ProposalAlignment, key: str, choice: str, values: dict[str, Any]
) -> tuple[str, ProposedState | None]:
    """The choice as the session knows it, with the edited state."""
    pair = alignment.pair(key)
    if choice == _KEEP:
        if pair is not None and len(pair.states) > 1:
            raise UserError(_("Both operators propose {pair}", pair=key), "", _("Choose a or b"))
        return CHOOSE_A if pair is None or pair.a is not None else CHOOSE_B, None
    if choice != _EDIT:
        return (DROPPED if choice == _DROP else choice), None
    if pair is None:
        return EDITED, None
    side, known = ("a", pair.a) if pair.a is not None else ("b", pair.b)
    assert known is not None
    base = replace(
        known,
        step=None,
        after=tuple(alignment.key_of(side, name) for name in known.after),
        alternatives=tuple(alignment.key_of(side, name) for name in known.alternatives),
    )
    return EDITED, replace(base, **values)


def _decision_text(definition: Definition | None, pair: StatePair) -> str:
    decision = definition.decision(pair.key) if definition is not None else None
    if definition is None or decision is None or not is_decided(definition, pair):
        return _("open")
    names = {
        CHOOSE_A: definition.operators[0],
        CHOOSE_B: definition.operators[1],
        EDITED: decision.state.label if decision.state is not None else "",
        DROPPED: _("dropped"),
    }
    return names[decision.choice]


def _pair_as_dict(
    alignment: ProposalAlignment, pair: StatePair, definition: Definition | None
) -> dict[str, Any]:
    decision: StateDecision | None = definition.decision(pair.key) if definition is not None else None
    decided = definition is not None and is_decided(definition, pair)
    return {
        "pair": pair.key,
        "a": plain_state(pair.a) if pair.a is not None else None,
        "b": plain_state(pair.b) if pair.b is not None else None,
        "score": pair.score,
        "differences": list(pair.differences),
        "difference": difference_sentence(alignment, pair),
        "choice": decision.choice if decided and decision is not None else "",
        "state": plain_state(decision.state) if decided and decision and decision.state else None,
        "agreed": decision.agreed_id if decision is not None else "",
        "who": decision.who if decided and decision is not None else "",
        "time": decision.time if decided and decision is not None else "",
    }
