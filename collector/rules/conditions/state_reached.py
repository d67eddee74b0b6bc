"""``state_reached``: an essential state was reached."""

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
from collector.rules.grammar.specs import STATE_ID

if TYPE_CHECKING:
    from collector.rules.columns.state_columns import StateColumns
    from collector.rules.columns.verdict_columns import VerdictColumns


@dataclass(frozen=True, kw_only=True)
class StateReached(Condition):
    """An essential state was reached at this step or before it."""

    type: ClassVar[str] = "state_reached"
    state: str = field(metadata=key(STATE_ID, N_("Id of the essential state")))


class StateReachedType(ConditionType[StateReached]):
    """Which states are reached is worked out along the whole trajectory before."""

    condition = StateReached
    doc = N_("An essential state was reached at this step or before it")
    example = "{type: state_reached, state: cart_open}"

    def starter(self, view: StateView | None) -> StateReached:
        return StateReached(state="state_id")

    def prove(self, condition: StateReached, view: StateView, images: ImageFinder | None) -> Proof:
        holds = condition.state in view.reached
        unseen = not holds and condition.state in view.undecided
        return Proof(condition, holds, deficit=not holds, evidence=holds, unseen=unseen)

    def columns(self, condition: StateReached, states: StateColumns) -> VerdictColumns:
        import numpy as np

        known = states.corpus.reached
        holds = np.array([condition.state in each.reached for each in known], np.bool_)
        undecided = np.array([condition.state in each.undecided for each in known], np.bool_)
        return states.verdicts_where(holds, holds).where_seen(undecided & ~holds)

    def sentence(self, condition: StateReached) -> str:
        return _("The essential state {state} was reached", state=condition.state)

    def explain(self, proof: Proof, condition: StateReached, view: StateView) -> str:
        if proof.unseen:
            return _("Whether it was reached is not known")
        return _("It was reached") if proof.holds else _("It was not reached yet")
