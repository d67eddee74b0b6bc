"""The phone of an episode: reset before it begins, with the variation and the language of its cell."""

from __future__ import annotations

from dataclasses import replace

from collector.adb.properties import parse_getprop
from collector.device.apps.app_control import show_beginning, stop_app
from collector.device.device_info import DeviceInfo, device_info_of
from collector.device.protocols import Cancel, Device
from collector.model.errors import UserError
from collector.model.i18n import _
from collector.model.phone.android_names import is_package
from collector.model.phone.phone_setup import PhoneSetup, wanted_locale
from collector.model.task import RESET_PHONE, Task
from collector.model.variation.phone_variation import DEFAULT, PhoneVariation
from collector.reset.phone_reset import reset_phone
from collector.reset.reset_plan import plan_reset, require_trust
from collector.reset.reset_record import ResetPlan, ResetRecord
from collector.run.experiment.model import Cell
from collector.store.project.project import Project
from collector.variations.registry import Variations

_own_languages: dict[str, str] = {}
"""By serial: the language that a virtual phone had when this program first ran an episode on it."""


class UnsuitablePhone(UserError):  # noqa: N818 - a state
    """The phone cannot be brought into what a cell asks for, however often it is tried."""


def read_phone(device: Device, cancel: Cancel) -> DeviceInfo:
    """What the phone is, without its battery. Raises DeviceError."""
    return device_info_of(device.serial, parse_getprop(device.shell("getprop", cancel=cancel).text))


def prepare_for_episode(
    device: Device, project: Project, task: Task, cell: Cell, reset: str, cancel: Cancel
) -> ResetRecord | None:
    """Reset the phone as ``reset`` says, bring the cell's variation and language into force, end the app of
    the task and show the home screen, or the first screen of the recordings that the phone plays.

    A virtual phone for which nothing is declared, or that has another variation or language, is reset as a
    whole, and keeps its seed: episodes must not see what earlier ones left.
    Raises UserError: DeviceError, UntrustedReset, UnsuitablePhone.
    """
    info = read_phone(device, cancel)
    language = info.language
    plan = plan_reset(project, task, reset)
    is_declared_whole = plan is not None and plan.kind == RESET_PHONE
    if plan is None and info.is_virtual:
        plan = ResetPlan(RESET_PHONE)
    if plan is not None:
        require_trust(project, plan)
    record = None
    variation = Variations(project.folder).resolve(cell.variation or DEFAULT)
    setup = _setup(cell, task, info, language, variation, whole=is_declared_whole)
    if setup is not None:
        record = reset_phone(device, ResetPlan(RESET_PHONE, setup=setup), cancel)
    if plan is not None and plan.kind != RESET_PHONE:
        record = reset_phone(device, plan, cancel)
    elif plan is not None and record is None:
        record = reset_phone(device, replace(plan), cancel)
    if is_package(task.package):
        stop_app(device, task.package, cancel)
    show_beginning(device, cancel)
    return record


def _setup(
    cell: Cell, task: Task, info: DeviceInfo, language: str, variation: PhoneVariation, *, whole: bool
) -> PhoneSetup | None:
    """What a reset of the whole virtual phone has to change; None when none is needed for it.

    The seed of the cell is the phone's too where it is reset as a whole anyway. A cell without a language
    takes that of its task, or the phone's own.
    """
    _own_languages.setdefault(info.serial, language)
    if not info.is_virtual:
        _require_real(cell, language)
        return None
    own = _own_languages[info.serial]
    locale = cell.language or wanted_locale(task.language, own) or own
    wanted = PhoneSetup(cell.seed if whole else None, locale, variation=variation)
    # The phone may have one of this name from a file as it was before.
    is_plain = variation == PhoneVariation() and info.variation in ("", DEFAULT)
    return wanted if whole or not is_plain or locale != language else None


def _require_real(cell: Cell, language: str) -> None:
    """Raise UnsuitablePhone when a phone that is no virtual one does not have what the cell asks for."""
    if cell.variation not in ("", DEFAULT):
        raise UnsuitablePhone(
            _("This phone has no variation {name}", name=cell.variation),
            _("only a virtual phone has variations"),
            _("Run the experiment on virtual phones, or without `variations`"),
        )
    if cell.language and language and cell.language.replace("_", "-") != language.replace("_", "-"):
        raise UnsuitablePhone(
            _(
                "The phone's language is {language}, and not {wanted}",
                language=language,
                wanted=cell.language,
            ),
            "",
            _("Choose the language in the phone's settings, or leave out `languages`"),
        )
