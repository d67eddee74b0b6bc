"""The phones and workers of ``waymark run``: what the options say, else what the experiment says."""

from __future__ import annotations

import re
from pathlib import Path

import click

from collector.cli.device.virtual_phones import VirtualPhones
from collector.cli.run.executor_names import LOCAL, PROCESS, RAY
from collector.device.transport.adb_server import AdbServer
from collector.model.i18n import _
from collector.run.experiment.estimate import OFFLINE_WORKERS
from collector.run.experiment.model import Experiment, PhoneChoice
from collector.run.phones.connected_phones import ConnectedPhones
from collector.run.phones.emulator_provider import EmulatorProvider
from collector.run.phones.free_phones import FreePhones
from collector.run.phones.provider import PhoneProvider
from collector.run.workers.local_worker import LocalExecutor
from collector.run.workers.offline_worker import OfflineExecutor
from collector.run.workers.worker import Executor
from collector.run.workers.worker_process import ProcessExecutor
from collector.virtual.fleet.phone_options import PhoneOptions

_CONNECTED = "connected"
_VIRTUAL = re.compile(r"virtual(?::(\d{1,3}))?")
_EMULATORS = re.compile(r"avd:([A-Za-z0-9._-]+?)(?::(\d{1,3}))?")
_MOST = 256


def executor_of(
    experiment: Experiment, devices: str, workers: int, kind: str, project: Path, ray_address: str = ""
) -> Executor:
    """The executor of a run. Empty ``devices`` and ``kind``, and 0 workers, leave the choice to us.

    Raises click.BadParameter for options that do not fit together, and UserError for no cluster.
    """
    if experiment.offline is not None:
        if devices or kind not in ("", LOCAL):
            raise click.BadParameter(
                _("steps that are asked offline need no phone and no machine"),
                param_hint="--devices" if devices else "--executor",
            )
        return OfflineExecutor(workers or OFFLINE_WORKERS)
    if ray_address and kind != RAY:
        raise click.BadParameter(_("only --executor ray has a cluster"), param_hint="--ray-address")
    if kind == RAY:
        return _ray_executor(experiment.phones, devices.strip(), workers, project, ray_address)
    phones = phones_of(experiment.phones, devices.strip(), workers)
    if workers > phones.count:
        raise click.BadParameter(
            _("{workers} workers need as many phones, and there are {count}",
              workers=workers, count=phones.count),
            param_hint="--workers",
        )  # fmt: skip
    count = workers or phones.count
    # Threads of one process would take turns: each worker parses trees and judges them.
    kind = kind or (PROCESS if count > 1 else LOCAL)
    return ProcessExecutor(phones, count) if kind == PROCESS else LocalExecutor(phones, count)


def phones_of(choice: PhoneChoice, devices: str, workers: int) -> PhoneProvider:
    """The phones that ``--devices`` names, else those of the experiment, else virtual ones."""
    started = _started_phones(choice, devices, workers)
    if started is not None:
        return started
    if devices == _CONNECTED:
        return ConnectedPhones(_connected_serials())
    return ConnectedPhones(tuple(_serials(devices) if devices else choice.serials))


def _ray_executor(choice: PhoneChoice, devices: str, workers: int, project: Path, address: str) -> Executor:
    # Loaded by those alone who use it: the extra is large.
    from collector.run.workers.ray_worker import RayExecutor, RayOptions

    phones = _started_phones(choice, devices, workers)
    count = workers or (phones.count if phones is not None and (devices or _is_chosen(choice)) else 0)
    if phones is None:
        serials = () if devices == _CONNECTED else tuple(_serials(devices) if devices else choice.serials)
        phones = FreePhones(workers or len(serials) or 1, serials)
    return RayExecutor(project, phones, RayOptions(address or "auto", count))


def _started_phones(choice: PhoneChoice, devices: str, workers: int) -> PhoneProvider | None:
    """The virtual phones or emulators that are meant; None when it is connected phones."""
    if devices:
        if virtual := _VIRTUAL.fullmatch(devices):
            return _virtual(choice, int(virtual[1] or workers or 1))
        if emulators := _EMULATORS.fullmatch(devices):
            count = int(emulators[2] or workers or choice.count)
            return EmulatorProvider(
                emulators[1], _checked(count, _("a run has 1 to {most} emulators", most=_MOST))
            )
        if devices.partition(":")[0] in ("virtual", "avd"):  # no serial begins so
            raise click.BadParameter(
                _("{value} names no phones: write virtual:N or avd:NAME:N", value=devices),
                param_hint="--devices",
            )
        return None
    if choice.serials:
        return None
    if choice.avd:
        return EmulatorProvider(choice.avd, choice.count)
    return _virtual(choice, workers or choice.virtual or 1)


def _is_chosen(choice: PhoneChoice) -> bool:
    """Whether the experiment says which phones it is for."""
    return bool(choice.virtual or choice.avd)


def _connected_serials() -> tuple[str, ...]:
    server = AdbServer()
    server.ensure()
    serials = tuple(phone.serial for phone in server.devices() if phone.is_ready)
    if not serials:
        raise click.BadParameter(_("no phone is connected"), param_hint="--devices")
    return serials


def _virtual(choice: PhoneChoice, count: int) -> VirtualPhones:
    options = PhoneOptions()
    return VirtualPhones(
        _checked(count, _("a run has 1 to {most} virtual phones", most=_MOST)),
        PhoneOptions(
            size=str(choice.size or options.size),
            density=choice.density or options.density,
            asks_permissions=choice.asks_permissions,
        ),
    )


def _checked(count: int, problem: str) -> int:
    if not 1 <= count <= _MOST:
        raise click.BadParameter(problem, param_hint="--devices")
    return count


def _serials(text: str) -> list[str]:
    serials = [serial.strip() for serial in text.split(",") if serial.strip()]
    twice = next((serial for serial in serials if serials.count(serial) > 1), "")
    if twice or not serials:
        raise click.BadParameter(
            _("{serial} is named twice", serial=twice) if twice else _("no phone is named"),
            param_hint="--devices",
        )
    return serials
