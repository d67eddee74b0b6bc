"""What a judge by models asked about a trajectory and was answered: its questions again, with kept answers.

The method runs anew over the answers that are kept, and asks nobody. So a question can be composed as it was
sent, with its pictures, and is found only while it would still be sent so: after another prompt, window or
sentence of a state the earlier answers belong to other questions. Where no answer is kept, as in a project of
somebody else, that of the verdicts with the trajectory is shown; it is never judged by.
"""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from collector.judge.judged_trajectory import JudgedTrajectory
from collector.model.verdicts.judgement import WINDOW, Judgement
from collector.model_judges.answer_store import AnswerStore
from collector.model_judges.asking import KeptAnswers, NotKept, judged_by, words_digest
from collector.model_judges.frames import picture_in
from collector.model_judges.model_judge import AsksModels
from collector.model_judges.questions import ModelReply, Question, WrongAnswer
from collector.project_rules.project_rules import ProjectRules
from collector.store.trajectory.judgements import read_judgements
from collector.store.trajectory.reader import open_trajectory


@dataclass(frozen=True, slots=True)
class AskedQuestion:
    """A question that was answered."""

    question: Question
    reply: ModelReply
    verdicts: Mapping[str, Judgement] = field(default_factory=dict)
    """Id of each state that it is about -> what the judge took from the answer. Of a question about no
    state the id is empty."""


def asked_questions(
    project: ProjectRules, folder: Path, judge: AsksModels, is_cancelled: Callable[[], bool] = lambda: False
) -> list[AskedQuestion]:
    """The questions about one trajectory whose answers are kept, in the order they were asked.

    Reads its pictures. Raises UserError for a trajectory that cannot be judged.
    """
    cache = project.project.paths.answer_cache
    with AnswerStore(cache) if cache.exists() else contextlib.nullcontext() as store:
        asker = _KeptAsker(store, _AnswersOfVerdicts(folder, judge), is_cancelled)
        trajectory = JudgedTrajectory.of(open_trajectory(folder), project.project.tasks, project.rules())
        judgements = judged_by(judge.asking(trajectory), asker)
    return [
        AskedQuestion(question, reply, _verdicts(question, reply, judgements))
        for question, reply in asker.asked
    ]


def _verdicts(question: Question, reply: ModelReply, judgements: Sequence[Judgement]) -> dict[str, Judgement]:
    """What the judge took from the answer to one question: about its window, else what names the answer."""
    own = [item for item in judgements if item.judge == question.model.judge]
    window = question.window
    about = [
        item
        for item in own
        if window is not None
        and item.subject.kind == WINDOW
        and item.subject.state in question.states
        and (item.subject.first, item.subject.last) == (window.first, window.last)
    ]
    keys = list(reply.keys)
    return {
        item.subject.state: item
        for item in about or [item for item in own if item.proof.get("answers") == keys]
    }


class _AnswersOfVerdicts:
    """The answers that stand with the stored verdicts of a judge as it is now."""

    def __init__(self, folder: Path, judge: AsksModels) -> None:
        stored = read_judgements(folder).judgements
        self._by_words = {
            item.proof["words"]: item
            for item in stored
            if "words" in item.proof and (item.judge, item.version) == (judge.name, judge.version)
        }

    def reply(self, question: Question) -> ModelReply | None:
        """The answer to a question of the same words; None when there is none. Composes the question."""
        if not self._by_words:
            return None
        found = self._by_words.get(words_digest(question.compose()))
        if found is None:
            return None
        proof, value = found.proof, None
        fault = str(proof.get("fault", ""))
        try:
            value = question.read(found.raw) if not fault else None
        except WrongAnswer:
            return None
        return ModelReply(
            value, fault, found.raw, str(proof.get("first_answer", "")), found.usage,
            model=str(proof.get("model", "")), keys=tuple(proof.get("answers", ())), words=proof["words"],
        )  # fmt: skip


class _KeptAsker:
    """Answers from the kept answers, else from the verdicts; no model is asked."""

    def __init__(
        self, store: AnswerStore | None, verdicts: _AnswersOfVerdicts, is_cancelled: Callable[[], bool]
    ) -> None:
        self._answers = KeptAnswers(store) if store is not None else None
        self._verdicts, self._is_cancelled = verdicts, is_cancelled
        self._is_over = False
        self.asked: list[tuple[Question, ModelReply]] = []

    def ask(self, questions: Sequence[Question]) -> list[ModelReply]:
        """The kept answers. After a turn without any nothing more was asked, and none is composed."""
        replies = [self._reply(question) for question in questions]
        self._is_over = bool(replies) and all(reply.not_asked for reply in replies)
        return replies

    def _reply(self, question: Question) -> ModelReply:
        if self._is_over or self._is_cancelled():
            return ModelReply(not_asked=True)
        reply = self._kept(question) or self._verdicts.reply(question)
        if reply is None:
            return ModelReply(not_asked=True)
        self.asked.append((question, reply))
        return reply

    def _kept(self, question: Question) -> ModelReply | None:
        try:
            return self._answers.reply(question) if self._answers is not None else None
        except NotKept:
            return None


# -- what was sent, for a person ---------------------------------------------
@dataclass(frozen=True, slots=True)
class SentParts:
    """The words and the pictures of a question, as they were sent."""

    words: str
    """All texts in their order; each picture is a line ``[picture N]``, from 1."""
    pictures: tuple[bytes, ...]
    """Encoded, as JPEG or PNG."""


def sent_parts(question: Question) -> SentParts:
    """Compose a question again. Reads and draws its pictures; raises PictureError."""
    words: list[str] = []
    pictures: list[bytes] = []
    for message in question.compose():
        content: Any = message["content"]
        parts: list[Any] = [{"type": "text", "text": content}] if isinstance(content, str) else content
        for part in parts:
            if part["type"] == "text":
                words.append(part["text"])
            else:
                pictures.append(picture_in(part)[1])
                words.append(f"[picture {len(pictures)}]")
    return SentParts("\n".join(words), tuple(pictures))
