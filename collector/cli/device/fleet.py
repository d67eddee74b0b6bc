"""``waymark device fleet``: start many virtual phones, list those that run, reset and stop them."""

from __future__ import annotations

import contextlib
import signal
import threading
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import asdict, replace

import click

from collector.cli.device.like_option import like_option
from collector.cli.device.phone import leased
from collector.cli.device.setup_options import setup_options
from collector.cli.output import json_option, print_json, print_table, say
from collector.cli.shared_options import (
    ANYWAY_HELP,
    asks_permissions_option,
    emulator_option,
    without_option,
)
from collector.cli.verb_groups import device
from collector.device.device_lease import RESET
from collector.device.transport.adb_device import AdbDevice
from collector.device.transport.adb_server import AdbServer
from collector.host.ending_signals import ENDING_SIGNALS
from collector.host.quit_deadline import arm_quit_deadline
from collector.model.errors import UserError
from collector.model.i18n import _
from collector.model.phone.phone_setup import PhoneSetup
from collector.model.task import RESET_PHONE
from collector.reset.phone_reset import reset_phone
from collector.reset.reset_record import ResetPlan
from collector.virtual.fleet.fleet import Fleet
from collector.virtual.fleet.phone_options import PhoneOptions
from collector.virtual.fleet.registry import RunningPhone, running_phones

_SIGNAL_SECONDS = 0.2
_MOST = 256

_phones = click.argument("phones", metavar="[PHONE]...", nargs=-1)
_all = click.option("--all", "everything", is_flag=True, help="All that run, whoever started them.")


@device.group()
def fleet() -> None:
    """Run many virtual phones. PHONE is a name or an address that `waymark device fleet list` shows."""


@fleet.command()
@click.argument("count", type=click.IntRange(1, _MOST))
@click.option("--name", default="phone", show_default=True, help="The phones are called NAME-1, NAME-2, ...")
@click.option(
    "--app", "apps", multiple=True, metavar="NAME", help="App to install; all by default; repeatable."
)
@without_option
@click.option("--android", default="", metavar="VERSION", help="Android version to simulate, 5 to 16.")
@click.option("--same-seed", is_flag=True, help="Give all phones the same seed, not one after another.")
@click.option("--connect", is_flag=True, help="Connect adb to each phone.")
@asks_permissions_option
@like_option
@emulator_option
@setup_options
@json_option
def start(
    count: int, name: str, apps: tuple[str, ...], without: tuple[str, ...], android: str, same_seed: bool,
    connect: bool, asks_permissions: bool, liked: str, emulator: bool, setup: PhoneSetup, as_json: bool,
) -> None:  # fmt: skip
    """Start COUNT virtual phones and keep them until Ctrl+C, or until this process ends.

    Each is a process of its own. Prints `ready NAME ADDRESS` for each when all answer.
    """
    first = PhoneOptions(
        apps=apps,
        without=without,
        android=android,
        asks_permissions=asks_permissions,
        like=liked,
        emulator=emulator,
    ).with_setup(setup)
    options = [
        replace(first, name=f"{name}-{number + 1}", seed=first.seed + shift)
        for number in range(count)
        for shift in (0 if same_seed else number,)
    ]
    stopped = threading.Event()
    for number in ENDING_SIGNALS:
        signal.signal(number, lambda *_arguments: stopped.set())
    with Fleet() as started, contextlib.ExitStack() as connections:
        phones = started.start(options)
        if setup.states:
            started.reset(PhoneSetup(states=setup.states))
        for phone in phones if connect else ():
            connections.enter_context(_connected(phone.address))
        if as_json:
            print_json([{"name": phone.options.name, "seed": phone.options.seed, "address": phone.address,
                         "pid": phone.pid} for phone in phones])  # fmt: skip
        else:
            for phone in phones:
                say(f"ready {phone.options.name} {phone.address}")
        # With a time limit: a signal delivered to another thread does not end an endless wait.
        while not stopped.wait(_SIGNAL_SECONDS):
            pass
        arm_quit_deadline(1)  # a phone that outlives this process notices its end


@fleet.command("list")
@json_option
def list_phones(as_json: bool) -> None:
    """List the virtual phones that run on this computer, whoever started them."""
    phones = running_phones()
    if as_json:
        print_json([asdict(phone) for phone in phones])
        return
    if not phones:
        say(_("No virtual phone runs. Start some with: waymark device fleet start 4"))
        return
    print_table(
        (_("Name"), _("Seed"), _("Address"), _("Screen"), _("Language"), _("Variation"), _("Process")),
        [
            (phone.name, phone.seed, phone.address, f"{phone.size}, {phone.density} dpi", phone.locale,
             phone.variation, phone.pid)
            for phone in phones
        ],
    )  # fmt: skip


@fleet.command()
@_phones
@_all
@click.option("--anyway", is_flag=True, help=ANYWAY_HELP)
@setup_options
@json_option
def reset(phones: tuple[str, ...], everything: bool, anyway: bool, setup: PhoneSetup, as_json: bool) -> None:
    """Reset whole phones: new apps, settings and files, and what the options change; connections stay."""
    chosen = _chosen(phones, everything=everything)
    plan = ResetPlan(RESET_PHONE, setup=setup)
    program = click.get_current_context().command_path

    def reset_one(phone: RunningPhone) -> None:
        with _connected(phone.address):
            adb = AdbDevice(phone.address)
            with leased(adb, program, RESET, anyway=anyway):
                reset_phone(adb, plan)

    AdbServer().ensure()
    with ThreadPoolExecutor(len(chosen)) as pool:
        results = {phone: pool.submit(reset_one, phone) for phone in chosen}
    failures = [error for result in results.values() if (error := result.exception()) is not None]
    if not failures or not as_json:
        _print_done([phone for phone in chosen if results[phone].exception() is None], as_json, "reset")
    if failures:
        raise failures[0]


@fleet.command()
@_phones
@_all
@json_option
def stop(phones: tuple[str, ...], everything: bool, as_json: bool) -> None:
    """Stop virtual phones, also those of another program."""
    chosen = _chosen(phones, everything=everything)
    for phone in chosen:
        phone.end()
    _print_done(chosen, as_json, "stopped")


def _chosen(wanted: Sequence[str], *, everything: bool) -> list[RunningPhone]:
    """The running phones of these names and addresses, or all. Raises UserError for one that does not run."""
    running = running_phones()
    if everything == bool(wanted):
        raise click.UsageError(_("name the phones, or say --all"))
    unknown = [word for word in wanted if not any(word in (phone.name, phone.address) for phone in running)]
    if unknown or not running:
        name = unknown[0] if unknown else ""
        raise UserError(
            _("No virtual phone {name} runs", name=name) if name else _("No virtual phone runs"),
            "",
            _("List them with: waymark device fleet list"),
        )
    return [phone for phone in running if everything or {phone.name, phone.address} & set(wanted)]


@contextlib.contextmanager
def _connected(address: str) -> Iterator[None]:
    """Connect adb to an address, and disconnect it at the end unless it was connected before."""
    server = AdbServer()
    server.ensure()
    before = {listed.serial for listed in server.devices()}
    server.connect(address)
    try:
        yield
    finally:
        if address not in before:
            server.disconnect(address)


def _print_done(phones: Sequence[RunningPhone], as_json: bool, word: str) -> None:
    if as_json:
        print_json({word: [{"name": phone.name, "address": phone.address} for phone in phones]})
        return
    for phone in phones:
        say(f"{word} {phone.name} {phone.address}")
