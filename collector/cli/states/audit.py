"""``waymark states audit``: an auditor's review of the agreed states of a task."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import asdict, replace
from pathlib import Path
from typing import Any, TypeVar

import click

from collector.cli.output import print_json, say
from collector.cli.shared_options import because_option, renamed_option
from collector.cli.states.options import open_work, print_change, state_options, state_values, task_verb
from collector.cli.verb_groups import states
from collector.model.errors import UserError
from collector.model.i18n import _
from collector.rules.evaluation.explanation import sentence as sentence_of
from collector.states.audit_facts import read_facts
from collector.states.auditing import Auditing, proposed_of
from collector.states.documents.audit import (
    ANSWERS,
    CRITERION_QUESTIONS,
    CRITERION_TITLES,
    FIX,
    STATE_CRITERIA,
    SUFFICIENCY,
    VERDICTS_OF_AUDIT,
    AuditedState,
    CriterionAnswer,
)
from collector.states.documents.proposed_rules import conditions_of
from collector.states.work_change import StateWorkChange
from collector.states.work_files.blindness import may_see_audit
from collector.states.work_files.state_work import document_of

_Verb = TypeVar("_Verb", bound=Callable[..., Any])
_answer = click.Choice(ANSWERS)


def _because(answer: str) -> Callable[[_Verb], _Verb]:
    """The sentence of the option ``answer``."""
    name = answer.strip("-")
    return renamed_option(
        f"--{name}-because", f"{name}_comment", formerly=f"--{name}-comment", default="", help="Why."
    )


@states.group()
def audit() -> None:
    """Audit the agreed states of a task, blind to the operators and to other auditors."""


@audit.command()
@task_verb
def start(task_id: str, who: str, folder: Path, as_json: bool) -> None:
    """Begin the audit of TASK; after a new definition, begin it again."""
    print_change(Auditing(open_work(folder), task_id, who).start(), who, folder, as_json=as_json)


@audit.command()
@task_verb
@click.option("--of", "other", default="", metavar="WHO", help="Whose audit; your own by default.")
def show(task_id: str, other: str, who: str, folder: Path, as_json: bool) -> None:
    """Show the states under audit with their facts, and the answers that are given."""
    work, other = open_work(folder), other or who
    may_see_audit(work.of_task(task_id), who, other).require(_("The audit of {who} is not shown", who=other))
    current = work.audit(task_id, other)
    if current is None:
        raise UserError(_("{who} does not audit {task} yet", who=other, task=task_id))
    known = Auditing(work, task_id, other).states()
    facts = read_facts(work, task_id, known)
    if as_json:
        print_json(
            {
                "audit": document_of(current),
                "states": [
                    {"id": name, "sentence": state.sentence, "facts": asdict(facts.states[name]),
                     "sentences": facts.states[name].sentences}
                    for name, state in known.items()
                ],
                "uncovered": dict(facts.uncovered),
                "sentences": facts.sentences,
            }
        )  # fmt: skip
        return
    for number, (name, state) in enumerate(known.items(), 1):
        say(f"M{number} {name}  {state.label}")
        conditions = conditions_of(state.extra.get("conditions"))
        if conditions.conditions:
            say(f"    {sentence_of(conditions)}")
        for sentence in facts.states[name].sentences:
            say(f"    - {sentence}")
        review = current.state(name) or AuditedState(name)
        for criterion in STATE_CRITERIA:
            say(f"    {_question(criterion, review.answer(criterion))}")
        say(f"    {review.verdict or '?'}  {review.note}".rstrip())
    for sentence in facts.sentences:
        say(f"- {sentence}")
    say(_question(SUFFICIENCY, current.sufficiency))


@audit.command()
@task_verb
@click.argument("state_id", metavar="STATE")
@click.option("--visual", type=_answer, help="Can it be seen in consecutive screenshots and actions?")
@_because("--visual")
@click.option("--critical", type=_answer, help="Must it be done, whichever way the task is done?")
@_because("--critical")
@click.option("--verdict", type=click.Choice(VERDICTS_OF_AUDIT),
              help="Accept it, accept it as the other options correct it, or reject it.")  # fmt: skip
@because_option
@state_options
def review(
    task_id: str, state_id: str, visual: str | None, visual_comment: str, critical: str | None,
    critical_comment: str, verdict: str | None, comment: str, sentence: str | None, conditions: str | None,
    after: tuple[str, ...], optional: bool | None, alternatives: tuple[str, ...], who: str, folder: Path,
    as_json: bool,
) -> None:  # fmt: skip
    """Answer the criteria for STATE, and accept, fix or reject it; a rejection needs --because."""
    auditing = Auditing(open_work(folder), task_id, who)
    values = state_values(sentence, conditions, after, optional, alternatives)
    if values and verdict != FIX:
        raise UserError(_("Only --verdict fix takes options of a state"))
    changes: list[StateWorkChange] = []
    for criterion, value, why in zip(
        STATE_CRITERIA, (visual, critical), (visual_comment, critical_comment), strict=True
    ):
        if value is not None:
            changes.append(auditing.answer(criterion, value, why, state_id))
    if verdict is not None:
        changes.append(auditing.decide(state_id, verdict, comment, _fixed(auditing, state_id, values)))
    if not changes:
        raise UserError(_("Nothing is answered"), "", _("Use --visual, --critical or --verdict"))
    print_change(replace(changes[-1], before=changes[0].before), who, folder, as_json=as_json)


@audit.command()
@task_verb
@click.argument("answer", type=_answer)
@because_option
def sufficiency(task_id: str, answer: str, comment: str, who: str, folder: Path, as_json: bool) -> None:
    """Answer whether all states of TASK together cover it; a no needs --because."""
    change = Auditing(open_work(folder), task_id, who).answer(SUFFICIENCY, answer, comment)
    print_change(change, who, folder, as_json=as_json)


@audit.command()
@task_verb
def sign(task_id: str, who: str, folder: Path, as_json: bool) -> None:
    """Sign the audit: accepted states become audited, a rejection sends TASK back to its definition."""
    print_change(Auditing(open_work(folder), task_id, who).sign(), who, folder, as_json=as_json)


@audit.command()
@task_verb
def withdraw(task_id: str, who: str, folder: Path, as_json: bool) -> None:
    """Take your signature back; the states are agreed then, and not audited."""
    print_change(Auditing(open_work(folder), task_id, who).withdraw(), who, folder, as_json=as_json)


def _fixed(auditing: Auditing, state_id: str, values: dict[str, Any]) -> Any:
    state = auditing.states().get(state_id)
    return replace(proposed_of(state), **values) if state is not None and values else None


def _question(criterion: str, answer: CriterionAnswer) -> str:
    said = f"{answer.value or '?'}  {answer.note}".rstrip()
    return f"{_(CRITERION_TITLES[criterion])}: {_(CRITERION_QUESTIONS[criterion])} {said}"
