"""``dumpsys battery``, ``thermalservice`` and ``devicestoragemonitor``."""

from __future__ import annotations

from collector.virtual.android_versions import ANDROID_9, ANDROID_13, ANDROID_15
from collector.virtual.shell.disk import mount_of
from collector.virtual.shell.process import Process
from collector.virtual.shell.services import appearance, energy
from collector.virtual.shell.services.service import Run

_NOT_CHARGING_NOW, _ADAPTIVE = 0, 1
"""Charging state and charging policy of a battery without overrides."""


def _boolean(on: bool) -> str:
    return "true" if on else "false"


def _dumped(process: Process, words: list[str], run: Run) -> int:
    """Run a service's shell through ``dumpsys``, which always returns success."""
    run(process, words)
    return 0


def dump_battery(process: Process, words: list[str]) -> int:
    """The battery's state; with arguments, the actions of ``cmd battery``."""
    if words and words[0] != "-a":
        if process.machine.phone.profile.sdk < ANDROID_9:
            # ``-f`` was added together with the shell; before it the words were read as they stand.
            words = [word for word in words if word != "-f"]
        return _dumped(process, words, energy.battery.always)
    power, sdk = process.machine.phone.services.power, process.machine.phone.profile.sdk
    supply = power.supply
    process.line("Current Battery Service state:")
    if power.frozen:
        process.line("  (UPDATES STOPPED -- use 'reset' to restart)")
    process.out(
        f"  AC powered: {_boolean(supply.ac)}\n  USB powered: {_boolean(supply.usb)}\n"
        f"  Wireless powered: {_boolean(supply.wireless)}\n"
    )
    if sdk >= ANDROID_13:
        process.line(f"  Dock powered: {_boolean(supply.dock)}")
    process.out(
        f"  Max charging current: 0\n  Max charging voltage: 0\n  Charge counter: {supply.counter}\n"
        f"  status: {supply.status}\n  health: {supply.health}\n  present: {_boolean(supply.present)}\n"
        f"  level: {supply.level}\n  scale: 100\n  voltage: {supply.voltage}\n"
        f"  temperature: {supply.temperature}\n  technology: Li-ion\n"
    )
    if sdk >= ANDROID_15:
        process.out(f"  Charging state: {_NOT_CHARGING_NOW}\n  Charging policy: {_ADAPTIVE}\n")
    return 0


def dump_thermal(process: Process, words: list[str]) -> int:
    """The real or overridden temperature status."""
    del words
    power = process.machine.phone.services.power
    celsius = power.supply.temperature / 10
    sensor = f"Temperature{{mValue={celsius}, mType=2, mName=battery, mStatus=0}}"
    process.out(
        f"IsStatusOverride: {_boolean(power.thermal_overridden)}\n"
        "ThermalEventListeners:\n\tcallbacks: 2\n\tkilled: false\n\tbroadcasts count: -1\n"
        "ThermalStatusListeners:\n\tcallbacks: 2\n\tkilled: false\n\tbroadcasts count: -1\n"
        f"Thermal Status: {power.thermal}\nCached temperatures:\n\t{sensor}\nHAL Ready: true\n"
        f"HAL connection:\n\tThermalHAL AIDL 1  connected: yes\nCurrent temperatures from HAL:\n\t{sensor}\n"
        "Current cooling devices from HAL:\n"
    )
    return 0


def dump_storage(process: Process, words: list[str]) -> int:
    """Free storage; with arguments, the actions of ``cmd devicestoragemonitor``."""
    if words and words[0] != "-a":
        return _dumped(process, words, appearance.storage.always)
    storage = process.machine.phone.services.storage
    free = mount_of(process.machine.files, "/data").free * 1024
    process.out(
        "Known volumes:\n  Default:\n"
        f"    level={storage.level} lastUsableBytes={free} \n"
        "    lowBytes=500 MB fullBytes=1.0 MB\n    path=/data\n\n"
        f"mSeq={storage.sequence} mForceState={storage.forced} \n\n"
    )
    return 0
