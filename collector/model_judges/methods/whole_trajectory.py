"""What methods share that ask once about a whole trajectory: when no model is needed, and what it is shown.

Of a long trajectory it is a choice of screens that keeps both ends.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from collector.endpoint.endpoint_options import check_ranges
from collector.judge.judged_trajectory import JudgedTrajectory
from collector.judge.windows import Window
from collector.model.i18n import N_, _
from collector.model.verdicts.judgement import FAILURE, TASK, UNCOMPLETED, UNDECIDED, Judgement, Subject
from collector.model_judges.frames import COMPOSITE, JudgedScreens
from collector.model_judges.model_judge import (
    LAYOUT_OPTION,
    MODEL_OPTIONS,
    ModelJudge,
    claim_option,
    common_values,
    task_values,
)
from collector.model_judges.prompt_values import messages_of, screen_parts
from collector.model_judges.questions import Message, Question
from collector.plugins.options import PluginOption
from collector.store.project.project import Project

MOST_SCREENS = 30
WHOLE_OPTIONS = (
    *MODEL_OPTIONS,
    LAYOUT_OPTION,
    PluginOption("max_screens", int, MOST_SCREENS, N_("The most screens that are shown")),
    claim_option(False),
)
"""The options of a method that shows the whole trajectory in one question."""


def whole_values(kind_id: str, options: Mapping[str, Any], project: Project | None) -> dict[str, Any]:
    """The fields of a judge that :data:`WHOLE_OPTIONS` say. Raises UserError."""
    check_ranges(options, {"max_screens": (1.0, 500.0)})
    own = {name: options[name] for name in ("max_screens", "needs_claim")}
    return {**common_values(kind_id, options, project), **own}


@dataclass(frozen=True, slots=True)
class ShownScreens:
    """The screens of a trajectory that one question shows."""

    judge: ModelJudge
    trajectory: JudgedTrajectory
    screens: JudgedScreens
    chosen: list[int]
    """Indexes of the screens."""
    pictures: int
    """How many pictures the question sends."""
    tokens: int
    """About how many tokens they take."""

    @property
    def numbers(self) -> list[int]:
        """The numbers of the screens, from 1, where some are left out; else empty."""
        return [index + 1 for index in self.chosen] if len(self.chosen) < self.screens.count else []

    def question(
        self, read: Callable[[str], Any], schema: Mapping[str, Any],
        values: Mapping[str, object] | None = None,
    ) -> Question:  # fmt: skip
        """The question with the prompt of the judge, which may name ``values`` beside those of the task."""
        window = Window(0, self.screens.count - 1)
        return Question(
            self.judge.model, lambda: self._messages(values or {}), read, schema, (), window, self.pictures,
            self.tokens,
        )  # fmt: skip

    def _messages(self, values: Mapping[str, object]) -> Sequence[Message]:
        left_out = left_out_words(self.chosen, self.screens.count)
        all_values = {**task_values(self.trajectory), **values, "optional": left_out}
        marked = [True] * len(self.chosen)
        parts = screen_parts(self.screens, self.chosen, layout=self.judge.form.layout, marked=marked)
        return messages_of(self.judge.prompt, all_values, parts)


def shown_screens(
    judge: ModelJudge, trajectory: JudgedTrajectory, most: int, *, needs_claim: bool
) -> ShownScreens | Judgement:
    """At most ``most`` screens of a trajectory for one question, or the verdict that needs no question."""
    if (verdict := unasked_verdict(judge, trajectory, needs_claim=needs_claim)) is not None:
        return verdict
    screens = judge.screens(trajectory)
    chosen = chosen_screens(screens.count, most)
    pictures, tokens = pictures_of(screens, chosen, judge.form.layout)
    if not pictures:
        return judge.judgement(Subject(TASK), UNDECIDED, _("No screen can be seen"))
    return ShownScreens(judge, trajectory, screens, chosen, pictures, tokens)


def unasked_verdict(
    judge: ModelJudge, trajectory: JudgedTrajectory, *, needs_claim: bool
) -> Judgement | None:
    """The verdict that no model is needed for; None when one is.

    A run that repeated one action until it was stopped failed (ProBench, table 4), one that never says that
    it is done is uncompleted, and one without a screen is undecided.
    """
    subject = Subject(TASK)
    if trajectory.last < 0:
        return judge.judgement(subject, UNDECIDED, _("It has no screen"))
    if needs_claim and trajectory.stopped_early:
        return judge.judgement(subject, FAILURE, _("The same action was repeated until the run was stopped"))
    if needs_claim and not trajectory.is_claimed:
        return judge.judgement(subject, UNCOMPLETED, _("Nobody said that the task is done"))
    return None


def chosen_screens(count: int, most: int) -> list[int]:
    """At most ``most`` indexes of ``count`` screens: the first, the last, and others evenly between them."""
    if count <= most:
        return list(range(count))
    if most == 1:
        return [count - 1]
    return sorted({round(number * (count - 1) / (most - 1)) for number in range(most)})


def left_out_words(chosen: list[int], count: int) -> str:
    """What a model is told of screens that are not shown; empty when all are."""
    return f"{len(chosen)} of {count} are shown" if len(chosen) < count else ""


def pictures_of(screens: JudgedScreens, chosen: list[int], layout: str) -> tuple[int, int]:
    """How many pictures a question sends, and about how many tokens they take."""
    seen = sum(not screens.hidden(index) for index in chosen)
    pictures = min(seen, 1) if layout == COMPOSITE else seen
    return pictures, screens.tokens(pictures, len(chosen))
