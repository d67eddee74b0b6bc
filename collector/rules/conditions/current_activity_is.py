"""``current_activity_is``: the activity in front has a name."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, ClassVar

from collector.model.i18n import N_, _
from collector.rules.conditions.condition_type import ConditionType, DgaraInjectionColumns
from collector.rules.evaluation.image_finder import ImageFinder
from collector.rules.evaluation.proof import Proof
from collector.rules.evaluation.state_view import StateView, full_activity
from collector.rules.grammar.condition_registry import key
from collector.rules.grammar.model import Condition
from collector.rules.grammar.specs import ACTIVITY

if TYPE_CHECKING:
    from collector.rules.columns.dgara_state_columns import DgaraStateColumns
    from collector.rules.columns.state_columns import StateColumns
    from collector.rules.columns.verdict_columns import VerdictColumns


@dataclass(frozen=True, kw_only=True)
class CurrentActivityIs(Condition):
    """The activity in front has this name."""

    type: ClassVar[str] = "current_activity_is"
    value: str = field(metadata=key(ACTIVITY, N_("Name of the activity, short or in full")))


class CurrentActivityIsType(ConditionType[CurrentActivityIs]):
    """Short names, full names and ``package/name`` are all understood."""

    condition = CurrentActivityIs
    doc = N_("The activity in front has this name")
    origin = "injection"
    example = "{type: current_activity_is, value: .ResultsActivity}"

    def starter(self, view: StateView | None) -> CurrentActivityIs:
        return CurrentActivityIs(
            value=view.activity if view is not None and view.activity else ".MainActivity"
        )

    def prove(self, condition: CurrentActivityIs, view: StateView, images: ImageFinder | None) -> Proof:
        holds = _is_activity(condition.value, view.package, view.activity)
        return Proof(
            condition, holds, actual=view.activity, deficit=not holds, unseen=not view.activity
        )  # fmt: skip

    def columns(self, condition: CurrentActivityIs, states: StateColumns) -> VerdictColumns:
        import numpy as np

        shown = list(zip(states.packages, states.activities, strict=True))
        known = {app: _is_activity(condition.value, *app) for app in set(shown)}
        verdicts = states.verdicts_where(np.array([known[app] for app in shown], np.bool_))
        return verdicts.where_seen(np.array([not activity for activity in states.activities], np.bool_))

    def sentence(self, condition: CurrentActivityIs) -> str:
        return _("The activity is {activity}", activity=condition.value)

    def explain(self, proof: Proof, condition: CurrentActivityIs, view: StateView) -> str:
        if proof.holds:
            return _("The activity is {name}", name=condition.value)
        here = proof.actual or _("not known")
        return _("The activity is {here}, wanted {name}", here=here, name=condition.value)

    class Dgara(DgaraInjectionColumns):
        """Names are compared letter by letter with what D-GARA's monitor reports."""

        def prove(self, condition: Condition, raw: Mapping[str, Any], view: StateView) -> Proof:
            shown, wanted = _reported(view.activity), raw.get("value")
            holds = bool(wanted) and shown == wanted
            return Proof(condition, holds, actual=shown, deficit=not holds)

        def columns(self, raw: Mapping[str, Any], columns: DgaraStateColumns) -> VerdictColumns:
            import numpy as np

            wanted = raw.get("value")
            shown = map(_reported, columns.states.activities)
            return columns.states.verdicts_where(
                np.array([bool(wanted) and name == wanted for name in shown], np.bool_)
            )

    dgara = Dgara()


def _is_activity(wanted: str, package: str, activity: str) -> bool:
    actual = full_activity(package, activity)
    if activity and wanted in (activity, actual, f"{package}/{activity}"):
        return True
    return bool(actual) and full_activity(package, wanted) == actual


def _reported(activity: str) -> str:
    """The name of an activity as D-GARA's monitor reports it."""
    if not activity:
        return "Unknown"
    return activity if "." in activity or activity == "Unknown" else f".{activity}"
