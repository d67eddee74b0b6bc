"""The files under ``/sys`` that tools for performance read: battery, temperature, clock rates, network."""

from __future__ import annotations

import stat
from collections.abc import Callable
from typing import TYPE_CHECKING

from collector.virtual.shell.files import Files
from collector.virtual.shell.kernel_files.cpu_usage import CORES, machine_time
from collector.virtual.system.phone_state.supply import CHARGING, FULL, Supply

if TYPE_CHECKING:
    from collector.virtual.system.phone import Phone

_LITTLE_KHZ, _BIG_KHZ, _LOWEST_KHZ = 1_804_800, 2_208_000, 300_000
_FIRST_BIG = 6
_RECENT_NS = 1_000_000_000


def install_sys_files(files: Files, phone: Phone) -> None:
    """Put the files into the file system of the phone."""
    texts = _battery(phone) | _thermal(phone) | _network(phone) | _processor(phone)
    for path, text in texts.items():
        files.install(f"/sys/{path}", _encoded(text), mode=stat.S_IFREG | 0o444)


def _encoded(text: Callable[[], object]) -> Callable[[], bytes]:
    return lambda: f"{text()}\n".encode()


def _battery(phone: Phone) -> dict[str, Callable[[], object]]:
    def supply() -> Supply:
        return phone.services.power.supply

    def status() -> str:
        return {CHARGING: "Charging", FULL: "Full"}.get(supply().status, "Discharging")

    values: dict[str, Callable[[], object]] = {
        "capacity": lambda: supply().level,
        "charge_counter": lambda: supply().counter,
        "current_now": lambda: 1_200_000 if supply().plugged else -310_000,
        "health": lambda: "Good",
        "present": lambda: int(supply().present),
        "status": status,
        "technology": lambda: "Li-ion",
        "temp": lambda: supply().temperature,
        "type": lambda: "Battery",
        "voltage_now": lambda: supply().voltage * 1000,
    }
    values["uevent"] = lambda: "\n".join(
        f"POWER_SUPPLY_{name.upper()}={text()}" for name, text in values.items() if name != "uevent"
    )
    folder = "class/power_supply"
    chargers = {
        f"{folder}/ac/online": lambda: int(supply().ac),
        f"{folder}/usb/online": lambda: int(supply().usb),
    }
    return {f"{folder}/battery/{name}": text for name, text in values.items()} | chargers


def _thermal(phone: Phone) -> dict[str, Callable[[], object]]:
    def celsius(extra: float) -> Callable[[], object]:
        return lambda: phone.services.power.supply.temperature * 100 + int(extra * 1000 * _load(phone))

    zones = (("battery", celsius(0)), ("cpu-0-0", celsius(18)), ("gpu", celsius(9)))
    files: dict[str, Callable[[], object]] = {}
    for number, (name, temperature) in enumerate(zones):
        files[f"class/thermal/thermal_zone{number}/type"] = lambda name=name: name  # type: ignore[misc]
        files[f"class/thermal/thermal_zone{number}/temp"] = temperature
    return files


def _load(phone: Phone) -> float:
    """The share of the processor that was busy in the last second, from 0 to 1."""
    now = phone.clock.uptime_ns
    since = max(0, now - _RECENT_NS)
    spent = machine_time(phone, now).busy - machine_time(phone, since).busy
    return min(1.0, spent * 1e6 / max(1, now - since) / CORES)


def _network(phone: Phone) -> dict[str, Callable[[], object]]:
    return {
        "class/net/wlan0/address": lambda: "02:00:00:00:00:00",
        "class/net/wlan0/mtu": lambda: 1500,
        "class/net/wlan0/operstate": lambda: "up" if phone.services.radios.connected else "down",
        "class/net/lo/operstate": lambda: "unknown",
    }


def _processor(phone: Phone) -> dict[str, Callable[[], object]]:
    cores = f"0-{CORES - 1}"
    files: dict[str, Callable[[], object]] = {
        f"devices/system/cpu/{name}": lambda: cores for name in ("online", "possible", "present")
    }
    for core in range(CORES):
        highest = _BIG_KHZ if core >= _FIRST_BIG else _LITTLE_KHZ

        def current(highest: int = highest) -> int:
            """More load, a higher clock rate, in steps as a driver has."""
            return _LOWEST_KHZ + round((highest - _LOWEST_KHZ) * min(1.0, 3 * _load(phone)) / 76_800) * 76_800

        folder = f"devices/system/cpu/cpu{core}"
        files |= {
            f"{folder}/online": lambda: 1,
            f"{folder}/cpufreq/scaling_cur_freq": lambda current=current, highest=highest: min(  # type: ignore[misc]
                highest, current()
            ),
            f"{folder}/cpufreq/scaling_governor": lambda: "schedutil",
        }
        for name in ("scaling_max_freq", "cpuinfo_max_freq"):
            files[f"{folder}/cpufreq/{name}"] = lambda highest=highest: highest  # type: ignore[misc]
        for name in ("scaling_min_freq", "cpuinfo_min_freq"):
            files[f"{folder}/cpufreq/{name}"] = lambda: _LOWEST_KHZ
    return files
