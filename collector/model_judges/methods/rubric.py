"""Rubrics: the parts by which an attempt at a task is graded, each by itself.

A part is an obligation, an answer, or a constraint that must not be violated, and belongs to the outcome or
to the process. Parts do not overlap: two that ask for the same would count one fault twice. Where a project
has no rubric of a task, the essential states are its first draft (``waymark judge rubric`` writes it).
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from collector.judge.judged_trajectory import JudgedTrajectory
from collector.model.errors import UserError
from collector.model.i18n import _
from collector.rules.evaluation.task_states import replaced_by
from collector.rules.grammar.model import Rule
from collector.store.files import yaml_files
from collector.store.files.format_versions import FileFormat
from collector.store.project.project import Project

RUBRIC = FileFormat("waymark-rubric", 1)
OBLIGATION, ANSWER, CONSTRAINT = "obligation", "answer", "constraint"
PART_KINDS = (OBLIGATION, ANSWER, CONSTRAINT)
OUTCOME, PROCESS = "outcome", "process"
CONCERNS = (OUTCOME, PROCESS)
_WORD = re.compile(r"\w+")
_FILLERS = frozenset(["a", "an", "the", "is", "are", "was", "were", "be", "been", "has", "have", "had"])
"""Words by which two parts that say the same may differ."""
_MOST_PARTS = 100


@dataclass(frozen=True, slots=True)
class Part:
    """One part of a rubric."""

    id: str
    text: str
    kind: str = OBLIGATION
    concerns: str = OUTCOME
    state: str = ""
    """Id of the essential state that it stands for; empty for others."""


def rubric_of(project: Project | None, trajectory: JudgedTrajectory) -> tuple[Part, ...]:
    """The rubric of the task of a trajectory: the project's, else a draft. Raises UserError."""
    task_id = trajectory.header.task_id
    if project is not None and project.paths.rubric(task_id).is_file():
        parts = read_rubric(project, task_id)
        known = (state.id for state in trajectory.states)
        require_known_states(parts, known, project.paths.rubric(task_id).name)
        return parts
    return draft_rubric(trajectory)


def read_rubric(project: Project, task_id: str) -> tuple[Part, ...]:
    """Read the rubric of a task. Raises UserError with what is wrong with it."""
    path = project.paths.rubric(task_id)
    what = _("The rubric {name} cannot be used", name=path.name)
    document = RUBRIC.upgrade(yaml_files.load(path), path.name)
    rows = document.get("parts")
    if not isinstance(rows, list) or not rows or len(rows) > _MOST_PARTS:
        raise UserError(what, _("`parts` is no list of 1 to {most} parts", most=_MOST_PARTS))
    parts = tuple(_part(row, number, what) for number, row in enumerate(rows, start=1))
    ids = [part.id for part in parts]
    if twice := next((name for name in ids if ids.count(name) > 1), ""):
        raise UserError(what, _("two parts are called {id}", id=twice), _("Give one of them another id"))
    states = [part.state for part in parts if part.state]
    if twice := next((name for name in states if states.count(name) > 1), ""):
        raise UserError(
            what, _("two parts are verdicts on the state {id}", id=twice),
            _("Let one of them say all that the state asks for"),
        )  # fmt: skip
    _refuse_overlapping(parts, what)
    return parts


def require_known_states(parts: Sequence[Part], states: Iterable[str], name: str) -> None:
    """Raise UserError for a part of the rubric ``name`` that names none of ``states``, those of its task."""
    known = set(states)
    if missing := next((part for part in parts if part.state and part.state not in known), None):
        raise UserError(
            _("The rubric {name} cannot be used", name=name),
            _("part {part} names the state {id}, which the task does not have", part=missing.id,
              id=missing.state),
            _("Correct `state`, or remove it"),
        )  # fmt: skip


def draft_rubric(trajectory: JudgedTrajectory) -> tuple[Part, ...]:
    """A rubric from the essential states and the expected answer of a task; of alternatives one is enough.

    Raises UserError without both.
    """
    by_id = {state.id: state for state in trajectory.states}
    needed = [state for state in trajectory.states if state.id in set(trajectory.needed)]
    instead = _replaced(needed)
    parts = [
        Part(state.id, _with_alternatives(state, by_id), OBLIGATION, OUTCOME, state.id)
        for state in needed
        if state.id not in instead
    ]
    task = trajectory.task
    wanted = task.expected_answer if task is not None else None
    expected = [text for text in wanted.texts if text.strip()] if wanted is not None else []
    if expected:
        words = " / ".join(expected)
        parts.append(Part("answer", f"The answer that was given says: {words}", ANSWER))
    if not parts:
        raise UserError(
            _("The task {id} has no rubric", id=trajectory.header.task_id),
            _("it has no essential states and no expected answer to draft one from"),
            _("Write judges/rubrics/{id}.yaml", id=trajectory.header.task_id),
        )
    parts.append(
        Part("nothing-else", "Nothing was changed that the task does not ask for", CONSTRAINT, OUTCOME)
    )
    return tuple(parts)


def _refuse_overlapping(parts: Sequence[Part], what: str) -> None:
    for first, second in overlapping(parts):
        raise UserError(
            what, _("the parts {first} and {second} say the same", first=first.id, second=second.id),
            _("Remove one, or say what only it asks for"),
        )  # fmt: skip


def rubric_document(parts: Iterable[Part]) -> dict[str, Any]:
    """The document of a rubric's file. Raises UserError for parts that say the same."""
    parts = tuple(parts)
    _refuse_overlapping(parts, _("The rubric cannot be written"))
    rows = [
        {key: value for key, value in (
            ("id", part.id), ("kind", part.kind), ("concerns", part.concerns), ("state", part.state),
            ("text", part.text),
        ) if value}
        for part in parts
    ]  # fmt: skip
    return RUBRIC.stamp({"parts": rows})


def overlapping(parts: Sequence[Part]) -> list[tuple[Part, Part]]:
    """The pairs of parts that say the same: in the same words, but for articles and forms of be and have."""
    found = []
    for place, first in enumerate(parts):
        words = _words(first.text)
        found += [(first, second) for second in parts[place + 1 :] if words and words == _words(second.text)]
    return found


def _words(text: str) -> list[str]:
    words = _WORD.findall(text.casefold())
    return [word for word in words if word not in _FILLERS] or words


def _replaced(states: Sequence[Rule]) -> set[str]:
    """Ids of the states that are named as alternatives, but for the first of those that name each other."""
    replaced: set[str] = set()
    for state in states:
        if state.id not in replaced:
            replaced |= replaced_by(states, [state.id]) - {state.id}
    return replaced


def _with_alternatives(state: Rule, by_id: Mapping[str, Rule]) -> str:
    others = sorted(replaced_by(list(by_id.values()), [state.id]) - {state.id})
    sentences = (_sentence(by_id[name]) for name in others if name in by_id)
    return ", or: ".join((_sentence(state), *sentences))


def _sentence(state: Rule) -> str:
    return state.description.strip() or state.id


def _part(row: Any, number: int, what: str) -> Part:
    if not isinstance(row, dict):
        raise UserError(what, _("part {number} is no mapping", number=number))
    known = ("id", "kind", "concerns", "state", "text")
    if unknown := [name for name in row if name not in known]:
        raise UserError(
            what, _("part {number} has the unknown key {key}", number=number, key=repr(unknown[0]))
        )
    texts = {name: row.get(name, "") for name in known}
    if not all(isinstance(value, str) for value in texts.values()):
        raise UserError(what, _("part {number} has a value that is no text", number=number))
    if not texts["id"].strip() or not texts["text"].strip():
        raise UserError(what, _("part {number} has no id or no text", number=number))
    kind, concerns = texts["kind"] or OBLIGATION, texts["concerns"] or OUTCOME
    for value, allowed in ((kind, PART_KINDS), (concerns, CONCERNS)):
        if value not in allowed:
            raise UserError(
                what, _("part {number} says {value}", number=number, value=repr(value)),
                _("Use one of: {known}", known=", ".join(allowed)),
            )  # fmt: skip
    return Part(texts["id"], texts["text"], kind, concerns, texts["state"])
