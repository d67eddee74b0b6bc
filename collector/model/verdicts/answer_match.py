"""What an answer to a golden step is when it is compared with what was done there."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

from collector.model.action import DoubleTap, LongPress, Tap
from collector.model.trajectory import TrajectoryHeader
from collector.model.verdicts.judgement import RIGHT, STEP, UNDECIDED, Judgement

ANSWERS_JUDGE = "golden-steps"
"""Name of the judge that compares answers with golden steps."""
SAME, EQUIVALENT, OTHER_GOLDEN, ALTERNATIVE = "same", "equivalent", "other golden", "alternative"
"""Why an answer is right: it hits the same node or says the same; it hits a node of the same label and role;
another golden trajectory did it there; the task or a reviewer allows it there."""
OTHER_ELEMENT, OTHER_TEXT, OTHER_DIRECTION, OTHER_VALUE, OTHER_ACTION, NO_ACTION = (
    "other element", "other text", "other direction", "other value", "other action", "no action",
)  # fmt: skip
"""Why it is not: what differs first. A value is a key or an app."""
HIDDEN = "hidden"
"""Nobody can say: the text that was typed there is hidden."""
FIRST_WRONG = "first_wrong"
"""Key of an outcome's ``extra``: the number, from 1, of the first golden step that was not answered right."""
TOUCHES = (Tap, DoubleTap, LongPress)
"""Actions whose element decides: grounding accuracy counts them."""


@dataclass(frozen=True, slots=True)
class AnswerMatch:
    """One answer of an agent beside the action of a golden step."""

    golden: str
    """Id of the golden trajectory."""
    number: int
    """Of its step, from 1."""
    count: int
    """Questions that the golden trajectory asks."""
    action: Mapping[str, Any] = field(default_factory=dict)
    """What was done there, as steps have their actions."""
    verdict: str = RIGHT
    """One of a step, see :data:`collector.model.verdicts.judgement.VERDICTS`."""
    how: str = SAME
    """Why: one of the words above."""
    same_type: bool = True
    """Whether the answer is an action of the type that was done, or that is right otherwise."""
    same_element: bool | None = None
    """Of two touches of the same type, whether the answer's hits the right element; else None."""

    @property
    def is_exact(self) -> bool:
        """Whether it is what the golden step did, and not merely as good."""
        return self.verdict == RIGHT and self.how == SAME

    def as_proof(self) -> dict[str, Any]:
        """The proof of a judgement."""
        return {
            "golden": self.golden, "number": self.number, "count": self.count, "action": dict(self.action),
            "how": self.how, "same_type": self.same_type, "same_element": self.same_element,
        }  # fmt: skip


def first_wrong_step(header: TrajectoryHeader) -> int | None:
    """Index, from 0, of the first golden step that was not answered right; None where there is none."""
    number = header.outcome.extra.get(FIRST_WRONG) if header.outcome is not None else None
    return number - 1 if header.is_offline and isinstance(number, int) and number > 0 else None


def match_of(judgement: Judgement) -> AnswerMatch | None:
    """The match that a judgement on a step holds; None for a judgement of another judge."""
    proof = judgement.proof
    if judgement.judge != ANSWERS_JUDGE or judgement.subject.kind != STEP or not proof.get("golden"):
        return None
    action, same_element = proof.get("action"), proof.get("same_element")
    try:
        return AnswerMatch(
            str(proof["golden"]), int(proof["number"]), int(proof["count"]),
            dict(action) if isinstance(action, Mapping) else {}, judgement.verdict, str(proof.get("how", "")),
            bool(proof.get("same_type")), same_element if isinstance(same_element, bool) else None,
        )  # fmt: skip
    except (KeyError, TypeError, ValueError):  # a file that another program wrote
        return None


def first_wrong_of(matches: Iterable[AnswerMatch]) -> int:
    """The number of the first answer that is not right, from 1; 0 when all are, or nobody can say."""
    return min((match.number for match in matches if match.verdict not in (RIGHT, UNDECIDED)), default=0)
