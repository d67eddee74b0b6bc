"""``app_is_installed``: an app is on the phone."""

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
class AppIsInstalled(Condition):
    """The app is on the phone."""

    type: ClassVar[str] = "app_is_installed"
    value: str = field(metadata=key(PACKAGE, N_("Name of the package")))


class AppIsInstalledType(ConditionType[AppIsInstalled]):
    """Holds when the phone's list of packages has exactly this name; without a list nothing is known."""

    condition = AppIsInstalled
    doc = N_("The app is installed on the phone")
    example = "{type: app_is_installed, value: com.example.shop}"

    def starter(self, view: StateView | None) -> AppIsInstalled:
        return AppIsInstalled(value=view.package if view is not None and view.package else "com.example")

    def prove(self, condition: AppIsInstalled, view: StateView, images: ImageFinder | None) -> Proof:
        holds = view.apps is not None and condition.value in view.apps
        return Proof(condition, holds, deficit=not holds, evidence=holds, unseen=view.apps is None)

    def columns(self, condition: AppIsInstalled, states: StateColumns) -> VerdictColumns:
        import numpy as np

        lists = [states.corpus.apps(position) for position in range(len(states))]
        holds = np.array([apps is not None and condition.value in apps for apps in lists], np.bool_)
        verdicts = states.verdicts_where(holds, holds)
        return verdicts.where_seen(np.array([apps is None for apps in lists], np.bool_))

    def sentence(self, condition: AppIsInstalled) -> str:
        return _("The app {package} is installed", package=condition.value)

    def explain(self, proof: Proof, condition: AppIsInstalled, view: StateView) -> str:
        if proof.unseen:
            return _("The phone's list of apps was not recorded")
        return _("It is installed") if proof.holds else _("It is not installed")
