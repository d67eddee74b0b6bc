"""``min_step``: the step is a certain one or a later one."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, ClassVar

from collector.model.i18n import N_, _
from collector.rules.conditions.condition_type import ConditionType
from collector.rules.evaluation.image_finder import ImageFinder
from collector.rules.evaluation.proof import Proof
from collector.rules.evaluation.state_view import StateView
from collector.rules.grammar.condition_registry import key
from collector.rules.grammar.model import Condition
from collector.rules.grammar.specs import WHOLE

if TYPE_CHECKING:
    from collector.rules.columns.state_columns import StateColumns
    from collector.rules.columns.verdict_columns import VerdictColumns


@dataclass(frozen=True, kw_only=True)
class MinStep(Condition):
    """The step is this one or a later one; steps are counted from 1."""

    type: ClassVar[str] = "min_step"
    value: int = field(metadata=key(WHOLE, N_("Number of the step, counted from 1")))


class MinStepType(ConditionType[MinStep]):
    """As a condition of its own; every condition may also carry ``min_step`` as a key."""

    condition = MinStep
    doc = N_("The step is this one or a later one")
    example = "{type: min_step, value: 3}"

    def starter(self, view: StateView | None) -> MinStep:
        return MinStep(value=2)

    def prove(self, condition: MinStep, view: StateView, images: ImageFinder | None) -> Proof:
        holds = view.screens >= condition.value
        return Proof(condition, holds, have=view.screens, need=condition.value, deficit=not holds)

    def columns(self, condition: MinStep, states: StateColumns) -> VerdictColumns:
        return states.verdicts_where(states.step >= condition.value)

    def sentence(self, condition: MinStep) -> str:
        return _("Step {step} is reached", step=condition.value)

    def explain(self, proof: Proof, condition: MinStep, view: StateView) -> str:
        if proof.holds:
            return _("This is step {step}", step=view.screens)
        return _("This is step {step}, wanted {first} or later", step=view.screens, first=condition.value)
