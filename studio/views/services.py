"""The services that the window gives to its workspaces and panels."""

from __future__ import annotations

from dataclasses import dataclass, fields
from typing import TYPE_CHECKING

from studio.widgets.commands.command_run import run_or_say

if TYPE_CHECKING:
    from studio.bridge import JobRunner
    from studio.bridge.anomalies.anomalies import Anomalies
    from studio.bridge.anomalies.solvability import Solvability
    from studio.bridge.phones.devices import Devices
    from studio.bridge.previews import AnomalyPreviews
    from studio.bridge.project_findings import ProjectFindings
    from studio.bridge.project_health import ProjectHealth
    from studio.bridge.project_library import ProjectLibrary
    from studio.bridge.recording import Recording
    from studio.bridge.review.state_reviews import StateReviews
    from studio.bridge.review.stored_labels import StoredLabels
    from studio.bridge.review.work_selection import WorkSelection
    from studio.bridge.rules.rule_documents import RuleDocuments
    from studio.bridge.trajectories.project_trajectories import ProjectTrajectories
    from studio.bridge.variations.pictures import VariationPictures
    from studio.commands.commander import Commander
    from studio.settings import Settings
    from studio.views.stored_screens import StoredScreenCache
    from studio.widgets.window_frame.status_bar import StatusBar
    from studio.widgets.window_frame.toasts import Toasts


@dataclass(frozen=True)
class AppServices:
    """Services that exist before the window and outlive it. Use them on the GUI thread only."""

    commander: Commander
    settings: Settings
    tasks: JobRunner
    project_library: ProjectLibrary
    """The open project, with the edits of its tasks."""
    selection: WorkSelection
    """The task, the state and the trajectory in hand."""
    trajectories: ProjectTrajectories
    """The stored trajectories of the project."""
    stored_labels: StoredLabels
    """Says when labels and judgements in them are others."""
    findings: ProjectFindings
    """What is wrong with the files of the project."""
    health: ProjectHealth
    """What of the project tells nothing or no longer holds, and suspicious runs."""
    devices: Devices
    recording: Recording
    """The one recording; idle until started."""
    previews: AnomalyPreviews
    """Images of anomalies."""
    anomalies: Anomalies
    """The anomalies injected into the phone in use."""
    solvability: Solvability
    """Which tasks stay solvable under which anomalies."""
    rule_documents: RuleDocuments
    """The rule files that are edited, with their undo."""
    state_reviews: StateReviews
    """The work of people on the essential states of the task in hand."""
    variation_pictures: VariationPictures
    """Pictures of the phone under variations."""
    screens: StoredScreenCache
    """The recorded screens that were read, of all workspaces within one number of bytes."""

    def in_window(self, toasts: Toasts, status: StatusBar) -> WindowServices:
        """Return the same services, with the two parts of the window that every workspace writes to."""
        shared = {field.name: getattr(self, field.name) for field in fields(AppServices)}
        return WindowServices(**shared, toasts=toasts, status=status)


@dataclass(frozen=True)
class WindowServices(AppServices):
    """What a workspace gets when it is built."""

    toasts: Toasts
    status: StatusBar

    def run_command(self, command_id: str, **arguments: str) -> object:
        """Run a command; show a UserError as a toast."""
        return run_or_say(self.commander, self.toasts, command_id, arguments)
