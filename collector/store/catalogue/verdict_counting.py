"""Compute what each judge says of one episode, and what people as a whole say."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import Any

from collector.model.verdicts.answer_match import AnswerMatch
from collector.model.verdicts.judgement import (
    MISSED,
    PERSON,
    REACHED,
    RIGHT,
    STEP,
    STEP_ERRORS,
    TASK,
    UNDECIDED,
    Judgement,
    Subject,
)
from collector.model.verdicts.safety import Safety, safety_in
from collector.model.verdicts.voted_subject import PEOPLE, VotedSubject, judges_of, most_say, voted_subjects
from collector.store.catalogue.catalogue_row import listed
from collector.store.catalogue.episode_facts import SAFE, UNSAFE, EpisodeFacts, VerdictFacts


def facts_of_verdicts(
    judgements: Iterable[Judgement], settled: Mapping[Subject, Judgement]
) -> dict[str, VerdictFacts]:
    """Judge -> what it says. ``judgements`` are those that count, ``settled`` what people settled.

    The judge :data:`PEOPLE` is all people as a whole: nobody's own verdict.
    """
    given = list(judgements)
    subjects = voted_subjects("", "", given, settled)
    judges, people = judges_of(subjects)
    by_labels = set(people) - {item.judge for item in given if item.subject.kind == TASK}
    facts = {judge: _facts_of(judge, subjects, judge in by_labels) for judge in judges if judge != PEOPLE}
    if people or any(subject.kind != STEP for subject in settled):
        is_silent = by_labels.issuperset(people) and all(subject.kind != TASK for subject in settled)
        facts[PEOPLE] = _facts_of_people(subjects, is_silent)
    for item in given:
        if item.subject.kind == TASK and (safety := safety_in(item.proof)) is not None:
            facts[item.judge] = _with_safety(facts.get(item.judge, VerdictFacts()), safety)
    for judge, steps in _verdicts_on_steps(given, settled).items():
        facts[judge] = _with_steps(facts.get(judge, VerdictFacts()), steps)
    return facts


def _verdicts_on_steps(
    judgements: Iterable[Judgement], settled: Mapping[Subject, Judgement]
) -> dict[str, dict[int, str]]:
    """Judge -> step -> what it says of it; :data:`PEOPLE` says what was settled, else what most say."""
    given: dict[str, dict[int, str]] = {}
    votes: dict[int, list[str]] = {}
    for item in judgements:
        step = item.subject.first
        if item.subject.kind != STEP or step is None or item.verdict == UNDECIDED:
            continue
        given.setdefault(item.judge, {})[step] = item.verdict
        if item.kind == PERSON:
            votes.setdefault(step, []).append(item.verdict)
    for step, verdicts in votes.items():
        if verdict := most_say(verdicts):
            given.setdefault(PEOPLE, {})[step] = verdict
    for subject, item in settled.items():
        if subject.kind == STEP and subject.first is not None:
            of_people = given.setdefault(PEOPLE, {})
            of_people.pop(subject.first, None)
            if item.verdict != UNDECIDED:
                of_people[subject.first] = item.verdict
    return given


def _with_safety(facts: VerdictFacts, safety: Safety) -> VerdictFacts:
    known = {True: SAFE, False: UNSAFE, None: 0}[safety.is_safe]
    violated = listed([f"{one.rule}={one.step}" for one in safety.violations])
    first_violation = min((one.step + 1 for one in safety.violations), default=0)
    return replace(
        facts, safety=known, goal=safety.goal, violated=violated, first_violation=first_violation,
    )  # fmt: skip


def _with_steps(facts: VerdictFacts, steps: Mapping[int, str]) -> VerdictFacts:
    counts = Counter(steps.values())
    wrong = [step + 1 for step, verdict in steps.items() if verdict in STEP_ERRORS]
    values: dict[str, Any] = {f"{verdict}_steps": counts[verdict] for verdict in (RIGHT, *STEP_ERRORS)}
    return replace(facts, **values, first_error=min(wrong, default=0))


def _facts_of(judge: str, subjects: Iterable[VotedSubject], is_by_labels: bool) -> VerdictFacts:
    own = [subject for subject in subjects if judge in subject.votes]
    verdicts = {subject.state: subject.votes[judge] for subject in own if subject.kind != TASK}
    steps = {subject.state: subject.steps[judge] for subject in own if judge in subject.steps}
    task = next((subject.votes[judge] for subject in own if subject.kind == TASK), "")
    return _facts(task, verdicts, steps, is_by_labels)


def _facts_of_people(subjects: Iterable[VotedSubject], is_by_labels: bool) -> VerdictFacts:
    said = {(subject.kind, subject.state): subject.people_say for subject in subjects}
    verdicts = {state: verdict for (kind, state), verdict in said.items() if kind != TASK}
    steps = {}
    for subject in subjects:
        by_people = [subject.steps[who] for who in subject.people if who in subject.steps]
        if subject.settled_step is not None:
            steps[subject.state] = subject.settled_step
        elif by_people and verdicts.get(subject.state) == REACHED:
            steps[subject.state] = min(by_people)
    return _facts(said.get((TASK, ""), ""), verdicts, steps, is_by_labels)


def _facts(
    task: str, verdicts: Mapping[str, str], steps: Mapping[str, int], is_by_labels: bool
) -> VerdictFacts:
    return VerdictFacts(
        task,
        listed([state for state, verdict in verdicts.items() if verdict == REACHED]),
        listed([state for state, verdict in verdicts.items() if verdict == MISSED]),
        listed([f"{state}={step}" for state, step in steps.items()]),
        int(is_by_labels),
    )


def with_answers(facts: EpisodeFacts, matches: Iterable[AnswerMatch]) -> EpisodeFacts:
    """The facts with how the answers of an agent compare with the golden steps that it was asked.

    Where nobody can say whether an answer is right, because a text is hidden, it is not counted.
    """
    known = [match for match in matches if match.verdict != UNDECIDED]
    touches = [match for match in known if match.same_element is not None]
    wrong = [match.number for match in known if match.verdict != RIGHT]
    return replace(
        facts,
        answered=len(known),
        right_answers=len(known) - len(wrong),
        exact_answers=sum(match.is_exact for match in known),
        same_types=sum(match.same_type for match in known),
        touches_compared=len(touches),
        right_touches=sum(match.same_element is True for match in touches),
        first_wrong=min(wrong, default=0),
    )
