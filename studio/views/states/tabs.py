"""The tabs of the States workspace: one row each. To fill a tab, write the class that its row names."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from PySide6.QtWidgets import QWidget

from collector.model.i18n import N_, _
from studio.views.services import WindowServices
from studio.views.states.agreement.agreement_tab import AgreementTab
from studio.views.states.check_tab import CheckTab
from studio.views.states.essential_state_tab import EssentialStateTab
from studio.views.states.judges.judges_tab import JudgesTab
from studio.views.states.labels.labels_tab import LabelsTab
from studio.views.states.proposals.audit_tab import AuditTab
from studio.views.states.proposals.history_tab import HistoryTab
from studio.views.states.proposals.proposals_tab import ProposalsTab
from studio.views.states.session import StatesSession


@dataclass(frozen=True)
class StatesTab:
    """One tab. Its widget gets the session, which it follows by signals, and the services of the window.

    A widget with a signal ``count_changed(object)`` has its number, or None, beside the title.
    """

    id: str
    title: str
    widget: Callable[[StatesSession, WindowServices], QWidget]

    @property
    def label(self) -> str:
        """The title in the person's language."""
        return _(self.title)


RIGHT_TABS = (
    StatesTab("essential-state", N_("Essential state"), EssentialStateTab),
    StatesTab("audit", N_("Audit"), AuditTab),
    StatesTab("history", N_("History"), HistoryTab),
)
BOTTOM_TABS = (
    StatesTab("proposals", N_("Proposals"), ProposalsTab),
    StatesTab("labels", N_("Labels"), LabelsTab),
    StatesTab("agreement", N_("Agreement"), AgreementTab),
    StatesTab("judges", N_("Judges"), JudgesTab),
    StatesTab("check", N_("Check"), CheckTab),
)
