"""Say why an edit of a trajectory was refused."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from pathlib import Path

from collector.model.i18n import _
from collector.store.project.trajectory_changes import TrajectoryChange, duplicate_trajectory
from collector.store.trajectory.editable_steps import ReviewedByOthers
from studio.bridge.while_alive import while_alive
from studio.views.services import WindowServices


def say_refused(
    services: WindowServices, error: Exception, folder: Path | None, show: Callable[[Path], object]
) -> None:
    """Say why an edit was refused; of steps that somebody else reviewed a copy can be edited.

    ``folder`` is the trajectory, ``show`` opens the copy.
    """
    if not isinstance(error, ReviewedByOthers) or folder is None:
        services.toasts.show_error(error)
        return
    act = partial(_edit_copy, services, folder, show)
    services.toasts.show("warn", error.what, error.why, action=_("Edit a copy"), act=act, for_now=True)


def _edit_copy(services: WindowServices, folder: Path, show: Callable[[Path], object]) -> None:
    """Open a copy without reviews."""
    copies = partial(duplicate_trajectory, with_reviews=False)
    job = services.trajectories.change(folder, copies, is_announced=False)
    if job is not None:
        job.succeeded.connect(while_alive(services.toasts, partial(_show_copy, show)))


def _show_copy(show: Callable[[Path], object], changed: tuple[TrajectoryChange, object]) -> None:
    show(changed[0].after)
