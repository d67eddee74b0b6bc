"""The method ``single``: the whole trajectory in one question (SPA-Bench), for comparison with the others."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

from collector.endpoint.endpoint_options import check_ranges
from collector.judge.judged_trajectory import JudgedTrajectory
from collector.judge.windows import Window
from collector.model.i18n import N_, _
from collector.model.judgement import TASK, UNDECIDED, Subject
from collector.model_judges.final_judge import unasked_verdict
from collector.model_judges.frames import JudgedScreens
from collector.model_judges.model_judge import (
    LAYOUT_OPTION,
    MODEL_OPTIONS,
    NOTHING_KNOWN,
    Known,
    ModelJudge,
    claim_option,
    common_values,
    model_kind,
    task_values,
)
from collector.model_judges.outcome_answer import OUTCOME_SCHEMA, outcome_judgement, read_outcome
from collector.model_judges.prompt_values import messages_of, screen_parts
from collector.model_judges.questions import Asking, Message, Question
from collector.model_judges.whole_trajectory import MOST_SCREENS, chosen_screens, left_out_words, pictures_of
from collector.plugins.options import PluginOption
from collector.store.project.project import Project


@dataclass(frozen=True, slots=True, kw_only=True)
class SingleJudge(ModelJudge):
    """A judge by one look at everything."""

    max_screens: int = MOST_SCREENS
    needs_claim: bool = False
    decides_states: ClassVar[bool] = False

    def asking(self, trajectory: JudgedTrajectory, _known: Known = NOTHING_KNOWN) -> Asking:
        """Ask one question."""
        if (verdict := unasked_verdict(self, trajectory, needs_claim=self.needs_claim)) is not None:
            return [verdict]
        screens = self.screens(trajectory)
        chosen = chosen_screens(screens.count, self.max_screens)
        pictures, tokens = pictures_of(screens, chosen, self.form.layout)
        if not pictures:
            return [self.judgement(Subject(TASK), UNDECIDED, _("No screen can be seen"))]
        question = Question(
            self.model, lambda: self._messages(trajectory, screens, chosen), read_outcome, OUTCOME_SCHEMA, (),
            Window(0, screens.count - 1), pictures, tokens,
        )  # fmt: skip
        (reply,) = yield [question]
        shown = [index + 1 for index in chosen] if len(chosen) < screens.count else []
        return [outcome_judgement(self, reply, shown=shown)]

    def _messages(
        self, trajectory: JudgedTrajectory, screens: JudgedScreens, chosen: list[int]
    ) -> Sequence[Message]:
        values = {**task_values(trajectory), "optional": left_out_words(chosen, screens.count)}
        parts = screen_parts(screens, chosen, layout=self.form.layout, marked=[True] * len(chosen))
        return messages_of(self.prompt, values, parts)


OPTIONS = (
    *MODEL_OPTIONS,
    LAYOUT_OPTION,
    PluginOption("max_screens", int, MOST_SCREENS, N_("The most screens that are shown")),
    claim_option(False),
)  # fmt: skip


def _create(options: Mapping[str, Any], project: Project | None) -> SingleJudge:
    check_ranges(options, {"max_screens": (1.0, 500.0)})
    return SingleJudge(
        **common_values(KIND.id, options, project), max_screens=options["max_screens"],
        needs_claim=options["needs_claim"],
    )  # fmt: skip


KIND = model_kind(
    "single", N_("Model, by the whole trajectory at once"),
    N_("Shows a model all screens in one question (SPA-Bench), for comparison"),
    _create, OPTIONS,
)  # fmt: skip
