"""Instructions that say the expected answer: an agent that repeats them passes."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator

from collector.judge.evaluation.given_answer import answer_matches
from collector.model.errors import UserError
from collector.model.expected_answer import EXACT, NUMBER, REGEX, ExpectedAnswer
from collector.model.i18n import _
from collector.model.seeds import DEFAULT_SEED
from collector.model.task import Task
from collector.project_health.health_finding import FixKind, HealthFinding, HealthFix, health_finding
from collector.project_health.project_facts import ProjectFacts
from collector.store.tasks.task_values import bound_by_seed

_SEEDS = 8
"""Of a task with parameters the values of so many seeds are tried."""
_WORD = re.compile(r"\w+", re.UNICODE)
_NUMBER = re.compile(r"[+-]?\d[\d,]*(?:\.\d+)?")


def answers_given_away(facts: ProjectFacts) -> Iterator[HealthFinding]:
    """Tasks whose instruction, or one of its rewordings, says the expected answer.

    Values of parameters stand in an instruction on purpose: one is a leak only where it is the answer.
    """
    for task in facts.tasks:
        found = _leak_of(task) if task.expected_answer is not None else None
        if found is not None:
            answer, said = found
            yield health_finding(
                "answer-given-away",
                _("The expected answer {answer} of task {id} is in its words",
                  answer=repr(answer), id=task.id),
                _("It is asked as {text}", text=repr(said)),
                _("Word it without the answer, or expect an answer that has to be found"),
                where=facts.place_of_task(task.id), task=task.id, fix=HealthFix(FixKind.EDIT_TASK, task.id),
            )  # fmt: skip


def _leak_of(task: Task) -> tuple[str, str] | None:
    """The answer and the words that say it; None when none do."""
    for seed in range(DEFAULT_SEED, DEFAULT_SEED + (_SEEDS if task.parameters else 1)):
        try:
            asked = bound_by_seed(task, seed)
        except UserError:  # which the check says
            return None
        answer = asked.expected_answer
        said = [asked.instruction, *(text for texts in asked.rewordings.values() for text in texts)]
        for text in said if answer is not None else ():
            assert answer is not None
            for expected in answer.texts:
                if says(text, expected, answer.rule):
                    return expected, text
    return None


def says(text: str, expected: str, rule: str = EXACT) -> bool:
    """Whether a text says an answer: its words in a row, whatever their case, width and punctuation."""
    if rule == REGEX:
        pattern = ExpectedAnswer((expected,), REGEX)
        return answer_matches(text, pattern) is True and answer_matches("", pattern) is False
    if rule == NUMBER:
        wanted = _number(expected)
        return wanted is not None and wanted in map(_number, _NUMBER.findall(text))
    wanted_words = words(expected)
    return bool(wanted_words) and f" {wanted_words} " in f" {words(text)} "


def words(text: str) -> str:
    """The words of a text, lower case, with a space between them; a sign of Chinese is a word of its own."""
    plain = unicodedata.normalize("NFKC", text).casefold()
    spaced = "".join(f" {sign} " if "\u2e80" <= sign <= "\u9fff" else sign for sign in plain)
    return " ".join(_WORD.findall(spaced))


def _number(text: str) -> float | None:
    try:
        return float(text.strip().replace(",", ""))
    except ValueError:
        return None
