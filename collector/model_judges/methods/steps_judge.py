"""The method ``steps``: each step right, or what is wrong with it; the first error is named.

A step stands beside what a person did at the same point of a successful attempt, when there is one.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

from collector.judge.judged_trajectory import JudgedTrajectory
from collector.judge.windows import Window
from collector.model.i18n import N_, _
from collector.model.verdicts.judgement import RIGHT, STEP, STEP_ERRORS, TASK, UNDECIDED, Judgement, Subject
from collector.model_judges import strict_answers as strict
from collector.model_judges.frames import JudgedScreens
from collector.model_judges.methods.golden_steps import golden_words
from collector.model_judges.model_judge import (
    LAYOUT_OPTION,
    MODEL_OPTIONS,
    NOTHING_KNOWN,
    Known,
    ModelJudge,
    common_values,
    model_kind,
    task_values,
)
from collector.model_judges.prompt_values import fenced, messages_of, require_prompt, screen_parts
from collector.model_judges.questions import Asking, Message, ModelReply, Question
from collector.plugins.options import PluginOption
from collector.store.project.project import Project

_WORDS = {word.replace("_", " "): word for word in (RIGHT, *STEP_ERRORS)} | {strict.UNCLEAR: UNDECIDED}
_SCHEMA = strict.schema_of({"reason": strict.TEXT, "step": strict.WORDS(tuple(_WORDS))})


@dataclass(frozen=True, slots=True, kw_only=True)
class StepsJudge(ModelJudge):
    """A judge of single steps."""

    beside_golden: bool = True
    decides_states: ClassVar[bool] = False

    def asking(self, trajectory: JudgedTrajectory, _known: Known = NOTHING_KNOWN) -> Asking:
        """Ask about all steps at once: none depends on the answer to another."""
        screens = self.screens(trajectory)
        acting = [index for index in range(screens.count) if screens.action_words(index)]
        golden = golden_words(self.project, trajectory) if self.beside_golden else {}
        seen = [index for index in acting if not screens.hidden(index)]
        questions = [self._question(trajectory, screens, index, golden.get(index, "")) for index in seen]
        replies = yield questions
        answers = dict(zip(seen, replies, strict=True))
        steps = [self._on_step(index, answers.get(index), golden.get(index, "")) for index in acting]
        return [*steps, self._on_task(steps)]

    def _question(
        self, trajectory: JudgedTrajectory, screens: JudgedScreens, index: int, golden: str
    ) -> Question:
        after = min(index + 1, screens.count - 1)
        shown = [index] if after == index else [index, after]

        def messages() -> Sequence[Message]:
            before = "\n".join(
                f"{number + 1}. {words}" for number in range(index) if (words := screens.action_words(number))
            )
            values = {
                **task_values(trajectory), "step": index + 1, "golden": fenced(golden),
                "process": fenced(before),
            }  # fmt: skip
            marked = [True, False][: len(shown)]
            parts = screen_parts(screens, shown, layout=self.form.layout, marked=marked)
            return messages_of(self.prompt, values, parts)

        pictures = sum(not screens.hidden(number) for number in shown)
        return Question(
            self.model, messages, _read_step, _SCHEMA, (), Window(index, after), pictures,
            screens.tokens(pictures, len(shown)),
        )  # fmt: skip

    def _on_step(self, index: int, reply: ModelReply | None, golden: str) -> Judgement:
        subject = Subject(STEP, "", index, index)
        if reply is None:
            return self.judgement(subject, UNDECIDED, _("The screen of this step cannot be seen"))
        if reply.value is None:
            reason = _("The answer cannot be read: {why}", why=reply.fault)
            return self.judgement(subject, UNDECIDED, reason, reply, golden=golden)
        word, reason = reply.value
        return self.judgement(subject, _WORDS[word], reason, reply, golden=golden)

    def _on_task(self, steps: Sequence[Judgement]) -> Judgement:
        """Names the first error. Steps say nothing about whether the task was done."""
        first = next((item for item in steps if item.verdict in STEP_ERRORS), None)
        if first is None:
            unknown = sum(item.verdict == UNDECIDED for item in steps)
            reason = (
                _("No step is wrong")
                if not unknown
                else _("No step is wrong; {count} are not known", count=unknown)
            )
            return self.judgement(Subject(TASK), UNDECIDED, reason)
        number = (first.subject.first or 0) + 1
        reason = _("The first error is step {number}: {reason}", number=number, reason=first.reason)
        return self.judgement(
            Subject(TASK), UNDECIDED, reason, first_error=first.subject.first, error=first.verdict
        )


def _read_step(text: str) -> tuple[str, str]:
    value = strict.read_object(text, {"reason": strict.text_up_to(), "step": strict.word_of(*_WORDS)})
    return value["step"], value["reason"]


OPTIONS = (
    *MODEL_OPTIONS,
    LAYOUT_OPTION,
    PluginOption("beside_golden", bool, True, N_("Say what a person did at the same point")),
)  # fmt: skip


def _create(options: Mapping[str, Any], project: Project | None) -> StepsJudge:
    values = common_values(KIND.id, options, project)
    require_prompt(values["prompt"], [])
    return StepsJudge(**values, beside_golden=options["beside_golden"])


KIND = model_kind(
    "steps", N_("Model, step by step"),
    N_("Says of each step whether it is right, and names the first error"),
    _create, OPTIONS,
)  # fmt: skip
