"""``power``: battery and charger.

The display is that of ``goldfish_battery_display_cb`` of the emulator's goldfish_battery.c.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

from collector.virtual.console.command_table import ConsoleCommand, ConsoleError, Run
from collector.virtual.console.commands.numbers import whole_number
from collector.virtual.console.emulator import Emulator
from collector.virtual.system.hardware.power import Power
from collector.virtual.system.phone_state import supply as values

_SHOWN_STATUS = {
    values.CHARGING: "Charging", values.DISCHARGING: "Discharging", values.NOT_CHARGING: "Not charging",
    values.FULL: "Full",
}  # fmt: skip
_SHOWN_HEALTH = {
    values.GOOD: "Good", values.OVERHEAT: "Overheat", values.DEAD: "Dead", values.OVERVOLTAGE: "Overvoltage",
    values.UNSPECIFIED: "Unspecified failure",
}  # fmt: skip


def _display(emulator: Emulator, words: str) -> str:
    del words
    supply = emulator.phone.services.power.supply
    return (
        f"AC: {'online' if supply.plugged else 'offline'}\n"
        f"status: {_SHOWN_STATUS.get(supply.status, 'Unknown')}\n"
        f"health: {_SHOWN_HEALTH.get(supply.health, 'Unknown')}\n"
        f"present: {str(supply.present).lower()}\ncapacity: {supply.level}\n"
    )


def _one_of(change: Callable[[Power, int], None], choices: Mapping[str, int], usage: str) -> Run:
    """A command that sets one value of the battery to what its word means."""

    def choose(emulator: Emulator, words: str) -> str:
        value = choices.get(words.lower())
        if value is None:
            raise ConsoleError(f"Usage: {usage}")
        change(emulator.phone.services.power, value)
        return ""

    return choose


def _charge(power: Power, on: int) -> None:
    power.hardware(charging=bool(on))


def _put(power: Power, there: int) -> None:
    power.hardware(present=bool(there))


def _capacity(emulator: Emulator, words: str) -> str:
    read = whole_number(words)
    if read is None or not 0 <= read[0] <= 100:
        raise ConsoleError('Usage: "capacity <percentage>"')
    emulator.phone.services.power.hardware(level=read[0])
    return ""


_STATUSES = "status unknown|charging|discharging|not-charging|full"
_HEALTHS = "health unknown|good|overheat|dead|overvoltage|failure"
POWER = ConsoleCommand(
    "power",
    "power related commands",
    "allows to change battery and AC power status\n",
    subcommands=(
        ConsoleCommand(
            "display", "display battery and charger state", "display battery and charger state\n", _display
        ),
        ConsoleCommand(
            "ac",
            "set AC charging state",
            "'ac on|off' allows you to set the AC charging state to on or off\n",
            _one_of(_charge, {"on": True, "off": False}, '"ac on" or "ac off"'),
        ),
        ConsoleCommand(
            "status",
            "set battery status",
            f"'{_STATUSES}' allows you to set battery status\n",
            _one_of(
                lambda power, status: power.hardware(status=status),
                {
                    "unknown": values.UNKNOWN, "charging": values.CHARGING,
                    "discharging": values.DISCHARGING, "not-charging": values.NOT_CHARGING,
                    "full": values.FULL,
                },
                f'"{_STATUSES}"',
            ),
        ),
        ConsoleCommand(
            "present",
            "set battery present state",
            "'present true|false' allows you to set battery present state to true or false\n",
            _one_of(_put, {"true": True, "false": False}, '"present true" or "present false"'),
        ),
        ConsoleCommand(
            "health",
            "set battery health state",
            f"'{_HEALTHS}' allows you to set battery health state\n",
            _one_of(
                lambda power, health: power.hardware(health=health),
                {
                    "unknown": values.UNKNOWN, "good": values.GOOD, "overheat": values.OVERHEAT,
                    "dead": values.DEAD, "overvoltage": values.OVERVOLTAGE, "failure": values.UNSPECIFIED,
                },
                f'"{_HEALTHS}"',
            ),
        ),
        ConsoleCommand(
            "capacity",
            "set battery capacity state",
            "'capacity <percentage>' allows you to set battery capacity to a value 0 - 100\n",
            _capacity,
        ),
    ),
)  # fmt: skip
