"""Judges that ask other judges: by name, in turns, with what is known already passed on."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from typing import Any, ClassVar

from collector.judge.judged_trajectory import JudgedTrajectory
from collector.judge.kinds import Judge
from collector.model.usage import Usage
from collector.model.verdicts.judgement import MODEL, STATE, TASK, UNDECIDED, Judgement, Subject
from collector.model_judges.model_judge import NOTHING_KNOWN, Known, ModelJudge, judge_one
from collector.model_judges.questions import Asking
from collector.store.project.project import Project


@dataclass(frozen=True, slots=True, kw_only=True)
class CombinedJudge:
    """Base of the judges that ask others."""

    name: str
    version: str
    judges: tuple[Judge, ...]
    project: Project | None
    workers: int
    kind: ClassVar[str] = MODEL

    @property
    def decides_states(self) -> bool:
        """Whether any of them says anything of essential states."""
        return any(getattr(judge, "decides_states", True) for judge in self.judges)

    def asking(self, trajectory: JudgedTrajectory, known: Known = NOTHING_KNOWN) -> Asking:
        """The judges at work on a trajectory."""
        raise NotImplementedError

    def judge(self, trajectory: JudgedTrajectory) -> Iterator[Judgement]:
        """Ask about one trajectory. Raises UserError when an endpoint gives no answer."""
        yield from judge_one(self, trajectory)

    def named(self, name: str) -> CombinedJudge:
        """This judge under the name of its file."""
        return replace(self, name=name)

    def own(
        self, subject: Subject, verdict: str, reason: str, confidence: float | None = None, **proof: Any
    ) -> Judgement:
        """A verdict of this judge."""
        now = datetime.now(UTC).isoformat(timespec="seconds")
        given = {name: value for name, value in proof.items() if value}
        return Judgement(
            self.name, self.kind, self.version, subject, verdict, confidence, reason, given, "", Usage(), now
        )


def asked_of(judge: Judge, trajectory: JudgedTrajectory, known: Known = NOTHING_KNOWN) -> Asking:
    """The questions of any judge: one that asks no model gives its verdicts at once."""
    if isinstance(judge, ModelJudge | CombinedJudge):
        return (yield from judge.asking(trajectory, known))
    return list(judge.judge(trajectory))


def version_of_parts(kind: str, judges: Iterable[Judge], *rules: str) -> str:
    """A digest of the versions of all that are asked."""
    written = "\n".join(
        (kind, *rules, *(f"{judge.name} {getattr(judge, 'version', '')}" for judge in judges))
    )
    return hashlib.sha256(written.encode()).hexdigest()[:12]


def on_subjects(judgements: Iterable[Judgement]) -> dict[tuple[str, str], Judgement]:
    """The verdicts on the task and on whole states, by kind and state."""
    return {
        (item.subject.kind, item.subject.state): item
        for item in judgements
        if item.subject.kind in (TASK, STATE)
    }


def is_unsure(judgement: Judgement, threshold: float) -> bool:
    """Whether a judge could not say, or says that it is not sure enough."""
    confidence = judgement.confidence
    return judgement.verdict == UNDECIDED or (confidence is not None and confidence < threshold)
