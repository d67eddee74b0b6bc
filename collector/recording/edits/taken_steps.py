"""Steps that are taken into another trajectory: their files as recorded, and what they say of the phone."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

from collector.model.app_data.collections import AppData
from collector.model.app_data.document import changed_collections
from collector.model.i18n import _
from collector.model.trajectory import State, Step, TrajectoryHeader, apps_changed, installed_apps
from collector.store.files import blobs
from collector.store.files.errors import Damaged
from collector.store.trajectory.reader import StoredTrajectory, read_first_app_data
from collector.store.trajectory.step_lines import StepWithFiles

SOURCE_TREE = "source_tree"
"""Key of a step that names the original of its converted tree, a file beside the trajectory."""


@dataclass(frozen=True, slots=True)
class PhoneAtStart:
    """What states of a trajectory say only the difference to."""

    installed: tuple[str, ...] = ()
    app_data: AppData | None = None

    @classmethod
    def of(cls, stored: StoredTrajectory) -> PhoneAtStart:
        """That of a stored trajectory. Raises Damaged."""
        return cls(stored.header.installed, read_first_app_data(stored.files))

    def or_else(self, other: PhoneAtStart) -> PhoneAtStart:
        """What is known here, and for the rest what is known there."""
        data = self.app_data if self.app_data is not None else other.app_data
        return PhoneAtStart(self.installed or other.installed, data)

    def state_of(self, stored: StoredTrajectory, state: State) -> State:
        """A state of another trajectory as one that began here. Raises Damaged."""
        apps, data = installed_apps(stored.header, state), stored.app_data(state)
        return replace(
            state,
            apps=apps_changed(self.installed, apps) if apps is not None and self.installed else None,
            app_data=changed_collections(self.app_data, data)
            if data is not None and self.app_data is not None
            else None,
        )


def step_with_files(stored: StoredTrajectory, step: Step) -> StepWithFiles:
    """A step with the bytes of its state. Raises Damaged when a file is not as it was recorded."""
    screenshot, tree = stored.screenshot(step), stored.tree(step)
    for name, data in ((step.state.screenshot, screenshot), (step.state.tree, tree)):
        digest = step.state.sha256.get(name)
        if data is not None and digest is not None and blobs.digest(data) != digest:
            raise Damaged(
                _("{name} is not as it was recorded", name=name),
                _("its bytes have another digest than step {number} says", number=step.index + 1),
                _("Restore it from a copy first"),
            )
    return StepWithFiles(step, screenshot, tree)


def without_original(step: Step) -> dict[str, Any]:
    """The extra keys of a step whose tree is another, or is taken where its original is not."""
    return {key: value for key, value in step.extra.items() if key != SOURCE_TREE}


def bare_state(state: State) -> State:
    """A state whose files are still to be written."""
    return replace(state, screenshot="", tree="", sha256={})


def device_of(header: TrajectoryHeader) -> tuple[str, str]:
    """What tells the phone of a recording apart from another: model and size of the screen."""
    return str(header.device.get("model") or ""), str(header.device.get("size") or "")
