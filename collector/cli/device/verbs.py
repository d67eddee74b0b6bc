"""``waymark device``: list phones, diagnose them, and run virtual ones."""

from __future__ import annotations

import contextlib
import itertools
import signal
import sys
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import click

from collector.cli.device.profile_options import ProfileOptions, profile_options, read_option
from collector.cli.device.recordings import playing, print_coverage, read_recordings, recording_options
from collector.cli.device.variation_option import read_variation_option
from collector.cli.shared_options import emulator_option
from collector.cli.verb_groups import device
from collector.host.emulator_ports import PORTS, take_ports
from collector.host.ending_signals import ENDING_SIGNALS
from collector.host.quit_deadline import arm_quit_deadline
from collector.model.errors import UserError
from collector.model.i18n import _
from collector.model.variation.phone_variation import PhoneVariation
from collector.virtual.fleet.parent_pipe import READY, obey_parent

if TYPE_CHECKING:
    from collector.virtual.daemon.fault_kinds import Fault
    from collector.virtual.device import VirtualDevice

_SIGNAL_SECONDS = 0.2
_WAITS_PER_RELEASE = 25
"""Waits for a signal between two releases of unused memory: every 5 s."""
_SWITCH_S = 0.0005
"""How long a thread of a phone keeps another waiting: its apps, its encoder and adb share one interpreter."""


@device.command()
@click.option(
    "--port", type=click.IntRange(0, 65535), default=0,
    help="Port on 127.0.0.1; 0 takes a free one. Of an emulator the even one of its pair, from 5554 to 5680.",
)  # fmt: skip
@emulator_option
@profile_options
@recording_options
@click.option("--realistic", is_flag=True, help="Make commands as slow as on a real phone.")
@click.option("--quiet-log", is_flag=True, help="Log only what happens, without what a phone logs by itself.")
@click.option("--end-with-stdin", is_flag=True, hidden=True, help="End when the standard input ends.")
@click.option(
    "--fault",
    "faults",
    multiple=True,
    metavar="NAME[:KEY=VALUE,...]",
    help="Fault to simulate, such as idle-error or slow-dump:ms=5000; repeatable.",
)
def virtual(
    port: int, emulator: bool, wanted: ProfileOptions, sources: tuple[str, ...], off_path: str, covers: bool,
    as_json: bool, folder: Path, realistic: bool, quiet_log: bool, end_with_stdin: bool,
    faults: tuple[str, ...],
) -> None:  # fmt: skip
    """Run a virtual phone in the foreground until Ctrl+C; connect with: adb connect 127.0.0.1:PORT.

    With --emulator it is one of the Android SDK's: adb lists it as soon as it runs, `adb emu` reaches its
    console, and `adb emu kill` ends it.

    With --from it plays recorded trajectories: it shows their screenshots and UI trees, and each recorded
    action leads where it led.
    """
    stopped = _prepare_process()
    injected = _read_faults(faults)
    profile = wanted.profile(is_emulator=emulator)
    graph = read_recordings(sources, folder, covers=covers)
    if graph is not None and covers:
        print_coverage(graph, as_json=as_json)
        return
    if graph is not None:
        profile = playing(profile, graph, off_path)
    from collector.virtual.device import VirtualDevice  # here: the other verbs need not wait for it to load

    with _emulator_ports(port) if emulator else contextlib.nullcontext(0) as console:
        phone = VirtualDevice(profile, port, realistic=realistic, lively_log=not quiet_log, console=console)
        phone.killed.subscribe(lambda _event: stopped.set())
        _run(phone, port, injected, stopped, end_with_stdin=end_with_stdin)


def _read_faults(faults: tuple[str, ...]) -> list[Fault]:
    from collector.virtual.daemon.fault_kinds import parse_fault

    return [read_option("--fault", parse_fault, text) for text in faults]


@contextlib.contextmanager
def _emulator_ports(port: int) -> Iterator[int]:
    """The console's port, and the lock of its pair: ``port``, or with 0 the first of a free pair.

    Raises UserError when no pair is free.
    """
    if port and port not in PORTS:
        even = _("an even number from {first} to {last}", first=PORTS[0], last=PORTS[-1])
        raise click.BadParameter(even, param_hint="--port")
    ports = range(port, port + 2, 2) if port else PORTS
    taken = take_ports(ports)
    if taken is None:
        raise UserError(
            _("The virtual phone could not start"),
            _("all pairs from {first} to {last} are in use", first=ports[0], last=ports[-1] + 1),
            _("Close some emulators"),
        )
    lock, console = taken
    try:
        yield console
    finally:
        lock.release()


def _run(
    made: VirtualDevice, port: int, faults: list[Fault], stopped: threading.Event, *, end_with_stdin: bool
) -> None:
    """Let a phone answer adb until ``stopped`` is set. Raises UserError when ``port`` is taken."""
    from collector.virtual.fleet.registry import Registration

    with (
        _started(made, port) as phone,
        contextlib.closing(Registration(phone.address, phone.phone.profile)) as registration,
    ):
        phone.machine.find_variation = _find_variation
        phone.machine.resets.subscribe(lambda _event: registration.update(phone.phone.profile))
        if end_with_stdin:
            obey_parent(phone, stopped)
        for fault in faults:
            phone.faults.apply(fault)
        click.echo(READY + phone.address)
        _wait(stopped)


def _find_variation(text: str) -> PhoneVariation:
    """What a name means that is typed on the phone. Raises ValueError for an unknown one."""
    try:
        return read_variation_option(text)
    except UserError as error:
        raise ValueError(str(error)) from None


@contextlib.contextmanager
def _started(phone: VirtualDevice, port: int) -> Iterator[VirtualDevice]:
    """Start the phone and close it at the end. Raises UserError when ``port`` is taken."""
    with contextlib.closing(phone):
        try:
            phone.start()
        except OSError as error:
            raise UserError(
                _("The virtual phone could not start"),
                _("Port {port} is not free ({reason})", port=port, reason=error.strerror),
                _("Choose another port, or leave the choice to the system with --port 0"),
            ) from None
        yield phone


def _prepare_process() -> threading.Event:
    """Let this process be a phone's; return an event that Ctrl+C and SIGTERM set."""
    from collector.virtual.memory import configure_malloc

    configure_malloc()
    sys.setswitchinterval(_SWITCH_S)
    stopped = threading.Event()
    for number in ENDING_SIGNALS:
        signal.signal(number, lambda *_arguments: stopped.set())
    return stopped


def _wait(stopped: threading.Event) -> None:
    """Wait until a signal arrives; from then on the process has seconds to end."""
    from collector.virtual.memory import release_memory

    # With a time limit: a signal delivered to another thread does not end an endless wait.
    release_memory()
    for turn in itertools.count(1):
        if stopped.wait(_SIGNAL_SECONDS):
            break
        if turn % _WAITS_PER_RELEASE == 0:
            release_memory()
    arm_quit_deadline(1)
