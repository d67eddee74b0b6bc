"""``waymark device emulator``: start copies of an Android emulator's image, list, reset and stop them."""

from __future__ import annotations

import contextlib
import signal
import threading
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor

import click

from collector.cli.device.phone import leased
from collector.cli.output import json_option, print_json, print_table, say
from collector.cli.shared_options import ANYWAY_HELP
from collector.cli.verb_groups import device
from collector.device.boot import BOOT_SECONDS
from collector.device.device_lease import RESET
from collector.device.transport.adb_device import AdbDevice
from collector.device.transport.adb_server import AdbServer
from collector.host.emulator_ports import PORTS
from collector.host.ending_signals import ENDING_SIGNALS
from collector.model.errors import UserError
from collector.model.i18n import _
from collector.model.task import RESET_PHONE
from collector.reset.phone_reset import reset_phone
from collector.reset.reset_record import ResetPlan
from collector.run.phones.android_sdk import find_sdk
from collector.run.phones.avd import find_avd
from collector.run.phones.emulator_provider import EmulatorPhone, EmulatorProvider, EmulatorStart
from collector.run.phones.running_emulators import RunningEmulator, delete_abandoned, running_emulators

_SIGNAL_SECONDS = 0.2
_MOST = 64

_serials = click.argument("serials", metavar="[SERIAL]...", nargs=-1)
_all = click.option("--all", "everything", is_flag=True, help="All that run, whoever started them.")


@device.group()
def emulator() -> None:
    """Run copies of an Android emulator's image (AVD); the image itself is never touched.

    SERIAL is adb's name of an emulator, as `waymark device emulator list` shows it.
    """


@emulator.command("list")
@json_option
def list_emulators(as_json: bool) -> None:
    """List the images of this account, and the emulators that run copies of them."""
    sdk = find_sdk()
    avds = [find_avd(sdk, name) for name in sdk.avd_names()]
    running: dict[str, list[str]] = {}
    for copy in running_emulators():
        running.setdefault(copy.avd, []).append(copy.serial)
    if as_json:
        rows = [{"avd": avd.name, "target": avd.target, "folder": str(avd.folder),
                 "running": running.get(avd.name, [])} for avd in avds]  # fmt: skip
        print_json({"emulator": str(sdk.emulator), "avd_home": str(sdk.avd_home), "avds": rows})
        return
    if not avds:
        say(_("{folder} has no image. Create one in Android Studio or with avdmanager", folder=sdk.avd_home))
        return
    print_table(
        (_("Image"), _("Android"), _("Copies that run")),
        [(avd.name, avd.target, ", ".join(running.get(avd.name, []))) for avd in avds],
    )


@emulator.command()
@click.argument("avd")
@click.argument("count", type=click.IntRange(1, _MOST), default=1)
@click.option("--snapshot", default="", metavar="NAME", help="Snapshot of the image to start from.")
@click.option("--window", is_flag=True, help="Show the emulators' windows.")
@click.option(
    "--emulator-argument", "arguments", multiple=True, metavar="WORD",
    help="An argument of the emulator, as in --emulator-argument=-no-audio; repeatable.",
)  # fmt: skip
@click.option(
    "--wait", type=click.FloatRange(1), default=BOOT_SECONDS, show_default=True, metavar="SECONDS",
    help="Seconds to wait for the start of all.",
)  # fmt: skip
@click.option(
    "--first-port", type=click.IntRange(PORTS[0], PORTS[-1]), default=PORTS[0], show_default=True,
    help="Console port of the first; even.",
)  # fmt: skip
@json_option
def start(
    avd: str, count: int, snapshot: str, window: bool, arguments: tuple[str, ...], wait: float,
    first_port: int, as_json: bool,
) -> None:  # fmt: skip
    """Start COUNT emulators with copies of the image AVD, until Ctrl+C, or until this process ends.

    Prints `ready NAME SERIAL` for each when all have booted. The copies are deleted at the end.
    """
    how = EmulatorStart(
        snapshot, window, arguments, wait, range(first_port, PORTS.stop, PORTS.step), is_leased=False
    )
    provider = EmulatorProvider(avd, count, how)
    stopped = threading.Event()
    for number in ENDING_SIGNALS:
        signal.signal(number, lambda *_arguments: stopped.set())
    with contextlib.ExitStack() as cleanup:
        phones = _started(provider, stopped, cleanup)
        if as_json:
            print_json([{"name": phone.name, "serial": phone.device.serial, "pid": phone.pid}
                        for phone in phones])  # fmt: skip
        for phone in () if as_json else phones:
            say(f"ready {phone.name} {phone.device.serial}")
        # With a time limit: a signal delivered to another thread does not end an endless wait.
        while not stopped.wait(_SIGNAL_SECONDS):
            pass


def _started(
    provider: EmulatorProvider, stopped: threading.Event, cleanup: contextlib.ExitStack
) -> list[EmulatorPhone]:
    """Start all emulators at once; raises what the first failure says, when those that started have ended."""
    provider.require()

    def begin(number: int) -> EmulatorPhone:
        phone = provider.acquire(number, stopped)
        cleanup.callback(phone.release)
        return phone

    with ThreadPoolExecutor(provider.count) as pool:
        return list(pool.map(begin, range(provider.count)))


@emulator.command()
@_serials
@_all
@click.option("--anyway", is_flag=True, help=ANYWAY_HELP)
@json_option
def reset(serials: tuple[str, ...], everything: bool, anyway: bool, as_json: bool) -> None:
    """Bring emulators back to how they were when they had booted, by the snapshot that was saved then."""
    chosen = _chosen(serials, everything=everything)
    program = click.get_current_context().command_path
    AdbServer().ensure()
    for running in chosen:
        phone = AdbDevice(running.serial)
        with leased(phone, program, RESET, anyway=anyway):
            reset_phone(phone, ResetPlan(RESET_PHONE))
    _print_done(chosen, as_json, "reset")


@emulator.command()
@_serials
@_all
@json_option
def stop(serials: tuple[str, ...], everything: bool, as_json: bool) -> None:
    """End emulators that run copies, also those of another program, and delete abandoned copies."""
    chosen = _chosen(serials, everything=everything)
    problems = {}
    for running in chosen:
        try:
            running.end()
        except UserError as error:
            problems[running] = error
    delete_abandoned()
    _print_done([running for running in chosen if running not in problems], as_json, "stopped")
    for problem in problems.values():
        raise problem


def _chosen(wanted: Sequence[str], *, everything: bool) -> list[RunningEmulator]:
    """The running copies of these serials, or all. Raises UserError for one that does not run."""
    if everything == bool(wanted):
        raise click.UsageError(_("name the emulators, or say --all"))
    running = list(running_emulators())
    unknown = [word for word in wanted if word not in {copy.serial for copy in running}]
    if unknown or not running:
        raise UserError(
            _("{name} runs no copy of an image", name=unknown[0])
            if unknown
            else _("No copy of an image runs"),
            "",
            _("List them with: waymark device emulator list"),
        )
    return [copy for copy in running if everything or copy.serial in wanted]


def _print_done(emulators: Sequence[RunningEmulator], as_json: bool, word: str) -> None:
    if as_json:
        print_json({word: [{"serial": running.serial, "avd": running.avd} for running in emulators]})
        return
    for running in emulators:
        say(f"{word} {running.serial} {running.avd}")
