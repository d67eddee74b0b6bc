"""``current_package_is``: an app is in front."""

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
from collector.rules.grammar.specs import PACKAGE

if TYPE_CHECKING:
    from collector.rules.columns.state_columns import StateColumns
    from collector.rules.columns.verdict_columns import VerdictColumns


@dataclass(frozen=True, kw_only=True)
class CurrentPackageIs(Condition):
    """The app in front is this package."""

    type: ClassVar[str] = "current_package_is"
    value: str = field(metadata=key(PACKAGE, N_("Name of the package")))


class CurrentPackageIsType(ConditionType[CurrentPackageIs]):
    """Holds when the package in front has exactly this name."""

    condition = CurrentPackageIs
    doc = N_("The app in front is this package")
    example = "{type: current_package_is, value: com.example.shop}"

    def starter(self, view: StateView | None) -> CurrentPackageIs:
        return CurrentPackageIs(value=view.package if view is not None and view.package else "com.example")

    def prove(self, condition: CurrentPackageIs, view: StateView, images: ImageFinder | None) -> Proof:
        package = view.package
        holds = bool(package) and condition.value == package
        return Proof(condition, holds, actual=package, deficit=not holds, unseen=not package)

    def columns(self, condition: CurrentPackageIs, states: StateColumns) -> VerdictColumns:
        import numpy as np

        verdicts = states.verdicts_where(
            np.array([package == condition.value for package in states.packages], np.bool_)
        )
        return verdicts.where_seen(np.array([not package for package in states.packages], np.bool_))

    def sentence(self, condition: CurrentPackageIs) -> str:
        return _("The app is {package}", package=condition.value)

    def explain(self, proof: Proof, condition: CurrentPackageIs, view: StateView) -> str:
        if proof.holds:
            return _("The package is {name}", name=condition.value)
        here = proof.actual or _("not known")
        return _("The package is {here}, wanted {name}", here=here, name=condition.value)
