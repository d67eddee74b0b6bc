"""The method ``single``: the whole trajectory in one question (SPA-Bench), for comparison with the others."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, ClassVar

from collector.judge.judged_trajectory import JudgedTrajectory
from collector.model.i18n import N_
from collector.model_judges.methods.outcome_answer import OUTCOME_SCHEMA, outcome_judgement, read_outcome
from collector.model_judges.methods.whole_trajectory import (
    MOST_SCREENS,
    WHOLE_OPTIONS,
    ShownScreens,
    shown_screens,
    whole_values,
)
from collector.model_judges.model_judge import NOTHING_KNOWN, Known, ModelJudge, model_kind
from collector.model_judges.prompt_values import require_prompt
from collector.model_judges.questions import Asking
from collector.store.project.project import Project


@dataclass(frozen=True, slots=True, kw_only=True)
class SingleJudge(ModelJudge):
    """A judge by one look at everything."""

    max_screens: int = MOST_SCREENS
    needs_claim: bool = False
    decides_states: ClassVar[bool] = False

    def asking(self, trajectory: JudgedTrajectory, _known: Known = NOTHING_KNOWN) -> Asking:
        """Ask one question."""
        shown = shown_screens(self, trajectory, self.max_screens, needs_claim=self.needs_claim)
        if not isinstance(shown, ShownScreens):
            return [shown]
        (reply,) = yield [shown.question(read_outcome, OUTCOME_SCHEMA)]
        return [outcome_judgement(self, reply, shown=shown.numbers)]


def _create(options: Mapping[str, Any], project: Project | None) -> SingleJudge:
    values = whole_values(KIND.id, options, project)
    require_prompt(values["prompt"], [])
    return SingleJudge(**values)


KIND = model_kind(
    "single", N_("Model, by the whole trajectory at once"),
    N_("Shows a model all screens in one question (SPA-Bench), for comparison"),
    _create, WHOLE_OPTIONS,
)  # fmt: skip
