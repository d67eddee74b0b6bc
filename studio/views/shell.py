"""What the shell lends to every workspace."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from studio.bridge import JobRunner
from studio.bridge.anomalies import Anomalies
from studio.bridge.devices import Devices
from studio.bridge.library import Library
from studio.bridge.previews import AnomalyPreviews
from studio.bridge.recording import Recording
from studio.bridge.solvability import Solvability
from studio.commands.commander import Commander
from studio.settings import Settings
from studio.widgets.status_bar import StatusBar
from studio.widgets.toasts import Toasts


@dataclass(frozen=True)
class Shell:
    """Handed to a workspace when it is built; everything here is used on the GUI thread."""

    commander: Commander
    settings: Settings
    tasks: JobRunner
    toasts: Toasts
    status: StatusBar
    show_project: Callable[[str], None]
    """Says in the menu bar which project is open; an empty name for none."""
    library: Library
    devices: Devices
    recording: Recording
    """The one recording; idle until started."""
    previews: AnomalyPreviews
    """Pictures of anomalies."""
    anomalies: Anomalies
    """What is injected into the phone in use."""
    solvability: Solvability
    """Which tasks stay solvable under which anomalies."""
