"""The method ``rubric``: each part of a rubric by itself (Universal Verifier, GRADE).

Process and outcome are judged apart, and a failure that nobody who acted could avoid is kept from the others.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from collector.judge.judged_trajectory import JudgedTrajectory
from collector.model.i18n import N_, _
from collector.model.verdicts.judgement import (
    FAILURE,
    MISSED,
    REACHED,
    STATE,
    SUCCESS,
    TASK,
    UNCOMPLETED,
    UNDECIDED,
    Judgement,
    Subject,
)
from collector.model_judges import strict_answers as strict
from collector.model_judges.methods.rubric import OUTCOME, Part, rubric_of
from collector.model_judges.methods.whole_trajectory import (
    MOST_SCREENS,
    WHOLE_OPTIONS,
    ShownScreens,
    shown_screens,
    whole_values,
)
from collector.model_judges.model_judge import NOTHING_KNOWN, Known, ModelJudge, model_kind
from collector.model_judges.prompt_values import fenced, require_prompt
from collector.model_judges.questions import Asking, ModelReply, WrongAnswer
from collector.store.project.project import Project

MET, NOT_MET = "met", "not met"
SOUND, FLAWED = "sound", "flawed"
NO_FAILURE, CONTROLLABLE, UNCONTROLLABLE = "none", "controllable", "uncontrollable"


@dataclass(frozen=True, slots=True)
class RubricAnswer:
    """What a model says of each part, and of the whole."""

    parts: Mapping[str, tuple[str, str, int | None]]
    """By id of a part: met, not met or unclear; the reason; the number of the screen from 1."""
    process: str
    failure: str
    reason: str


@dataclass(frozen=True, slots=True, kw_only=True)
class RubricJudge(ModelJudge):
    """A judge by a rubric."""

    max_screens: int = MOST_SCREENS
    needs_claim: bool = False

    def asking(self, trajectory: JudgedTrajectory, _known: Known = NOTHING_KNOWN) -> Asking:
        """Ask one question about all parts."""
        shown = shown_screens(self, trajectory, self.max_screens, needs_claim=self.needs_claim)
        if not isinstance(shown, ShownScreens):
            return [shown]
        parts = rubric_of(self.project, trajectory)
        listed = "\n".join(f"{part.id} ({part.kind}, {part.concerns}): {part.text}" for part in parts)
        question = shown.question(
            lambda text: read_rubric_answer(text, parts, len(shown.chosen)), _schema(parts),
            {"parts": fenced(listed)},
        )  # fmt: skip
        (reply,) = yield [question]
        return self._judgements(trajectory, parts, reply, shown)

    def _judgements(
        self, trajectory: JudgedTrajectory, parts: Sequence[Part], reply: ModelReply, shown: ShownScreens
    ) -> list[Judgement]:
        if reply.value is None:
            reason = _("The answer cannot be read: {why}", why=reply.fault)
            return [self.judgement(Subject(TASK), UNDECIDED, reason, reply)]
        answer = _believed(reply.value, shown)
        states = [self._on_state(part, answer, shown.chosen) for part in parts if part.state]
        verdict = outcome_of(parts, answer, is_claimed=trajectory.is_claimed)
        graded = {
            part.id: {"verdict": answer.parts[part.id][0], "reason": answer.parts[part.id][1]}
            for part in parts
        }
        task = self.judgement(
            Subject(TASK), verdict, answer.reason, reply, parts=graded, process=answer.process,
            failure=answer.failure,
        )  # fmt: skip
        return [*states, task]

    def _on_state(self, part: Part, answer: RubricAnswer, chosen: Sequence[int]) -> Judgement:
        said, reason, screen = answer.parts[part.id]
        verdict = {MET: REACHED, NOT_MET: MISSED}.get(said, UNDECIDED)
        step = chosen[screen - 1] if screen is not None and verdict == REACHED else None
        return self.judgement(Subject(STATE, part.state, step, step), verdict, reason)


def _believed(answer: RubricAnswer, shown: ShownScreens) -> RubricAnswer:
    """The answer; a part that is met on a screen that cannot be seen is unclear."""
    parts = dict(answer.parts)
    for name, (verdict, _reason, screen) in answer.parts.items():
        index = shown.chosen[screen - 1] if screen is not None else None
        if verdict == MET and index is not None and shown.screens.hidden(index):
            parts[name] = (
                strict.UNCLEAR,
                _("The model names step {step}, which cannot be seen", step=index + 1),
                None,
            )
    return replace(answer, parts=parts)


def outcome_of(parts: Sequence[Part], answer: RubricAnswer, *, is_claimed: bool) -> str:
    """The verdict on the task: by the parts of the outcome alone, whatever the process was."""
    said = [answer.parts[part.id][0] for part in parts if part.concerns == OUTCOME]
    if NOT_MET in said:
        return FAILURE if is_claimed else UNCOMPLETED
    return UNDECIDED if strict.UNCLEAR in said or not said else SUCCESS


def read_rubric_answer(text: str, parts: Sequence[Part], screens: int) -> RubricAnswer:
    """Raises WrongAnswer; an answer that contradicts itself is none."""
    value = strict.read_object(
        text,
        {
            "parts": strict.listing, "process": strict.word_of(SOUND, FLAWED),
            "failure": strict.word_of(NO_FAILURE, CONTROLLABLE, UNCONTROLLABLE),
            "reason": strict.text_up_to(),
        },
    )  # fmt: skip
    keys = {
        "id": strict.word_of(*(part.id for part in parts)), "reason": strict.text_up_to(),
        "verdict": strict.word_of(MET, NOT_MET, strict.UNCLEAR), "screen": strict.number_up_to(screens),
    }  # fmt: skip
    graded: dict[str, tuple[str, str, int | None]] = {}
    for row in value["parts"]:
        part = strict.checked_object(row, keys, "an entry of parts")
        if part["id"] in graded:
            raise WrongAnswer(f"the part {part['id']!r} is there twice")
        graded[part["id"]] = part["verdict"], part["reason"], part["screen"]
    if missing := [part.id for part in parts if part.id not in graded]:
        raise WrongAnswer(f"the part {missing[0]!r} is missing")
    not_met = [name for name, (verdict, _reason, _screen) in graded.items() if verdict == NOT_MET]
    if not_met and value["failure"] == NO_FAILURE:
        raise WrongAnswer(f"failure is none, but the part {not_met[0]!r} is not met")
    if value["failure"] != NO_FAILURE and all(verdict == MET for verdict, _r, _s in graded.values()):
        raise WrongAnswer(f"failure is {value['failure']}, but every part is met")
    return RubricAnswer(graded, value["process"], value["failure"], value["reason"])


def _schema(parts: Sequence[Part]) -> dict[str, Any]:
    part = {
        "id": strict.WORDS([part.id for part in parts]), "reason": strict.TEXT,
        "verdict": strict.WORDS((MET, NOT_MET, strict.UNCLEAR)), "screen": strict.NUMBER_OR_NULL,
    }  # fmt: skip
    return strict.schema_of({
        "parts": strict.list_of(strict.schema_of(part)), "process": strict.WORDS((SOUND, FLAWED)),
        "failure": strict.WORDS((NO_FAILURE, CONTROLLABLE, UNCONTROLLABLE)), "reason": strict.TEXT,
    })  # fmt: skip


def _create(options: Mapping[str, Any], project: Project | None) -> RubricJudge:
    values = whole_values(KIND.id, options, project)
    require_prompt(values["prompt"], ["parts"])
    return RubricJudge(**values)


KIND = model_kind(
    "rubric", N_("Model, by a rubric"),
    N_("Grades obligations, answers and constraints apart, and process and outcome apart"),
    _create, WHOLE_OPTIONS,
)  # fmt: skip
