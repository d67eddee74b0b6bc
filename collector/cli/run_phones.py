"""The phones and workers of ``waymark run``: what the options say, else what the experiment says."""

from __future__ import annotations

import re
from collections.abc import Sequence

import click

from collector.cli.virtual_phones import VirtualPhones
from collector.model.i18n import _
from collector.run.experiment.model import Experiment, PhoneChoice
from collector.run.phones.connected_phones import ConnectedPhones
from collector.run.phones.emulator_provider import EmulatorProvider
from collector.run.phones.provider import PhoneProvider
from collector.run.workers.local_worker import LocalExecutor
from collector.run.workers.worker import Executor
from collector.run.workers.worker_process import ProcessExecutor
from collector.virtual.fleet.phone_options import PhoneOptions

LOCAL, PROCESS = "local", "process"
EXECUTORS = (LOCAL, PROCESS)
_VIRTUAL = re.compile(r"virtual(?::(\d{1,3}))?")
_MOST = 256


def executor_of(experiment: Experiment, devices: str, workers: int, kind: str) -> Executor:
    """The executor of a run. Empty ``devices`` and ``kind``, and 0 workers, leave the choice to us.

    Raises click.BadParameter for options that do not fit together.
    """
    phones = phones_of(experiment.phones, devices, workers)
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
    serials: Sequence[str] = choice.serials
    if devices:
        virtual = _VIRTUAL.fullmatch(devices.strip())
        serials = [] if virtual else _serials(devices)
        if virtual:
            return _virtual(choice, int(virtual[1] or workers or 1))
    if serials:
        return ConnectedPhones(tuple(serials))
    if choice.avd:
        return EmulatorProvider(choice.avd, choice.count)
    return _virtual(choice, workers or choice.virtual or 1)


def _virtual(choice: PhoneChoice, count: int) -> VirtualPhones:
    if not 1 <= count <= _MOST:
        raise click.BadParameter(
            _("a run has 1 to {most} virtual phones", most=_MOST), param_hint="--devices"
        )
    options = PhoneOptions()
    return VirtualPhones(
        count,
        PhoneOptions(size=str(choice.size or options.size), density=choice.density or options.density),
    )


def _serials(text: str) -> list[str]:
    serials = [serial.strip() for serial in text.split(",") if serial.strip()]
    twice = next((serial for serial in serials if serials.count(serial) > 1), "")
    if twice or not serials:
        raise click.BadParameter(
            _("{serial} is named twice", serial=twice) if twice else _("no phone is named"),
            param_hint="--devices",
        )
    return serials
