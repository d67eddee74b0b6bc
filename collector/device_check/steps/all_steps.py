"""The steps of a check, in their order."""

from __future__ import annotations

from collections.abc import Iterable

from collector.device_check.step import CheckStep
from collector.device_check.steps.anomalies import AnomaliesStep
from collector.device_check.steps.appearance import AppearanceStep
from collector.device_check.steps.broadcasts import BroadcastsStep
from collector.device_check.steps.clock import ClockStep
from collector.device_check.steps.connection import ConnectionStep
from collector.device_check.steps.input import InputStep
from collector.device_check.steps.lock import LockStep
from collector.device_check.steps.permissions import PermissionsStep
from collector.device_check.steps.pictures import PicturesStep
from collector.device_check.steps.reset import ResetStep
from collector.device_check.steps.secure import SecureStep
from collector.device_check.steps.settling import SettlingStep
from collector.device_check.steps.storage import StorageStep
from collector.device_check.steps.text import TextStep
from collector.device_check.steps.touches import TouchesStep
from collector.device_check.steps.trees import TreesStep
from collector.device_check.steps.video import VideoStep
from collector.model.errors import UserError
from collector.model.i18n import _

STEPS: tuple[CheckStep, ...] = (
    ConnectionStep(),
    StorageStep(),
    ClockStep(),
    PicturesStep(),
    VideoStep(),
    TreesStep(),
    SecureStep(),
    InputStep(),
    TextStep(),
    TouchesStep(),
    SettlingStep(),
    AppearanceStep(),
    PermissionsStep(),
    BroadcastsStep(),
    AnomaliesStep(),
    ResetStep(),
    LockStep(),
)


def chosen_steps(ids: Iterable[str] = ()) -> tuple[CheckStep, ...]:
    """The steps of these ids in their order, or all. Raises UserError for an unknown one."""
    wanted = tuple(ids)
    known = {step.id for step in STEPS}
    for step_id in wanted:
        if step_id not in known:
            raise UserError(
                _("A check has no step {id}", id=step_id),
                "",
                _("Use one of: {known}", known=", ".join(step.id for step in STEPS)),
            )
    return tuple(step for step in STEPS if not wanted or step.id in wanted)
