"""The method ``final``: the last screen, the task, and what was done in words (ProBench, section 3.4)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

from collector.endpoint.prompt_template import Prompt
from collector.judge.judged_trajectory import JudgedTrajectory
from collector.judge.windows import Window
from collector.model.action import DoubleTap, LongPress, Tap
from collector.model.i18n import N_, _
from collector.model.verdicts.judgement import STEP, TASK, UNDECIDED, Judgement, Subject
from collector.model_judges import strict_answers as strict
from collector.model_judges.frames import COMPOSITE, SEPARATE, JudgedScreens
from collector.model_judges.methods.outcome_answer import OUTCOME_SCHEMA, outcome_judgement, read_outcome
from collector.model_judges.methods.whole_trajectory import unasked_verdict
from collector.model_judges.model_judge import (
    MODEL_OPTIONS,
    NOTHING_KNOWN,
    Known,
    ModelJudge,
    claim_option,
    common_values,
    model_kind,
    task_values,
    version_of,
)
from collector.model_judges.prompt_values import (
    JUDGE_PROMPTS,
    fenced,
    messages_of,
    require_prompt,
    screen_parts,
)
from collector.model_judges.questions import Asking, Message, ModelReply, Question
from collector.plugins.options import PluginOption
from collector.store.project.project import Project

NONE, STRUCTURE, SUMMARY = "none", "structure", "summary"
_LONGEST_SUMMARY = 400
_SUMMARY_SCHEMA = strict.schema_of({"summary": strict.TEXT})
_CLICKS = (Tap, DoubleTap, LongPress)


@dataclass(frozen=True, slots=True, kw_only=True)
class FinalJudge(ModelJudge):
    """A judge by the last screen and the process in words."""

    process: str = STRUCTURE
    summary_prompt: Prompt
    needs_claim: bool = True
    decides_states: ClassVar[bool] = False

    def asking(self, trajectory: JudgedTrajectory, _known: Known = NOTHING_KNOWN) -> Asking:
        """Ask for the summaries, when there are to be any, then for the outcome."""
        if (verdict := unasked_verdict(self, trajectory, needs_claim=self.needs_claim)) is not None:
            return [verdict]
        screens = self.screens(trajectory)
        last = screens.count - 1
        if screens.hidden(last):
            reason = _("The last screen cannot be seen")
            return [self.judgement(Subject(TASK), UNDECIDED, reason)]
        acting = [index for index in range(screens.count) if screens.action_words(index)]
        words = {index: screens.action_words(index) for index in acting} if self.process != NONE else {}
        judgements: list[Judgement] = []
        if self.process == SUMMARY:
            clicks = [index for index in acting if self._can_summarise(trajectory, screens, index)]
            replies = yield [self._summary_question(screens, index) for index in clicks]
            for index, reply in zip(clicks, replies, strict=True):
                judgements += self._noted(words, index, reply)
        question = Question(
            self.model, lambda: self._messages(trajectory, screens, last, words), read_outcome,
            OUTCOME_SCHEMA, (), Window(last, last), 1, screens.tokens(1, 1),
        )  # fmt: skip
        (reply,) = yield [question]
        return [*judgements, outcome_judgement(self, reply, process=_written(words))]

    def _messages(
        self, trajectory: JudgedTrajectory, screens: JudgedScreens, last: int, words: Mapping[int, str]
    ) -> Sequence[Message]:
        values = {**task_values(trajectory), "process": fenced(_written(words))}
        parts = screen_parts(screens, [last], layout=SEPARATE, marked=[False])
        return messages_of(self.prompt, values, parts)

    # -- the summariser ------------------------------------------------------
    @staticmethod
    def _can_summarise(trajectory: JudgedTrajectory, screens: JudgedScreens, index: int) -> bool:
        """Whether an action is a click with a screen before and after it that can be seen."""
        is_click = isinstance(trajectory.steps[index].action, _CLICKS)
        has_both = index + 1 < screens.count and not (screens.hidden(index) or screens.hidden(index + 1))
        return is_click and has_both

    def _summary_question(self, screens: JudgedScreens, index: int) -> Question:
        def messages() -> Sequence[Message]:
            parts = screen_parts(screens, [index, index + 1], layout=COMPOSITE, marked=[True, False])
            return messages_of(self.summary_prompt, {}, parts)

        return Question(
            self.model, messages, _read_summary, _SUMMARY_SCHEMA, (), Window(index, index + 1), 1,
            screens.tokens(1, 2),
        )  # fmt: skip

    def _noted(self, words: dict[int, str], index: int, reply: ModelReply) -> list[Judgement]:
        """Take a summary for the words of the converter, which stay when it cannot be read."""
        if reply.value is not None:
            words[index] = reply.value
        text = reply.value or _("The answer cannot be read: {why}", why=reply.fault)
        return [self.judgement(Subject(STEP, "", index, index), UNDECIDED, text, reply, summary=reply.value)]


def _read_summary(text: str) -> str:
    is_sentence = strict.text_up_to(_LONGEST_SUMMARY)
    value = strict.read_object(text, {"summary": lambda given: is_sentence(given) and bool(given.strip())})
    return " ".join(value["summary"].split())


def _written(words: Mapping[int, str]) -> str:
    return "\n".join(f"{number}. {words[index]}" for number, index in enumerate(sorted(words), start=1))


OPTIONS = (
    *MODEL_OPTIONS,
    PluginOption("process", str, STRUCTURE, N_("What was done in words: not at all, from the trees, or from "
                                               "a model that sees the screens before and after each click"),
                 choices=(NONE, STRUCTURE, SUMMARY)),
    PluginOption("summary_prompt", str, "summary", N_("The prompt of the summaries")),
    claim_option(True),
)  # fmt: skip


def _create(options: Mapping[str, Any], project: Project | None) -> FinalJudge:
    values = common_values(KIND.id, options, project)
    summary = JUDGE_PROMPTS.read(options["summary_prompt"], project)
    for prompt in (values["prompt"], summary):
        require_prompt(prompt, [])
    values["version"] = version_of(KIND.id, options, [values["prompt"], summary])
    return FinalJudge(
        **values, process=options["process"], summary_prompt=summary, needs_claim=options["needs_claim"]
    )


KIND = model_kind(
    "final", N_("Model, by the last screen and the process in words"),
    N_("Shows a model the last screen, and says what was done in words (ProBench)"),
    _create, OPTIONS,
)  # fmt: skip
