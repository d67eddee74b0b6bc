"""``cmd phone``, ``cmd connectivity`` and ``cmd bluetooth_manager``."""

from __future__ import annotations

from collector.virtual.android_versions import ANDROID_8, ANDROID_9, ANDROID_11, ANDROID_12, ANDROID_14
from collector.virtual.shell.process import Process
from collector.virtual.shell.services.service import FAILED, Service, installed

phone = Service(
    "phone",
    "Telephony Commands:\n  help\n    Print this help text.\n"
    "  data\n    Data Test Commands.\n      enable: enable mobile data connectivity\n"
    "      disable: disable mobile data connectivity\n",
    shell=ANDROID_9,
)
connectivity = Service(
    "connectivity",
    "Connectivity service commands:\n  help\n    Print this help text.\n"
    "  airplane-mode [enable|disable]\n    Turn airplane mode on or off.\n"
    "  airplane-mode\n    Get airplane mode.\n"
    "  set-chain3-enabled [true|false]\n    Enable or disable FIREWALL_CHAIN_OEM_DENY_3 for debugging.\n"
    "  get-chain3-enabled\n    Returns whether FIREWALL_CHAIN_OEM_DENY_3 is enabled.\n"
    "  set-package-networking-enabled [true|false] [package name]\n"
    "    Set the deny bit in FIREWALL_CHAIN_OEM_DENY_3 to package. This has\n"
    "    no effect if the chain is disabled.\n"
    "  get-package-networking-enabled [package name]\n"
    "    Get the deny bit in FIREWALL_CHAIN_OEM_DENY_3 for package.\n",
    shell=ANDROID_11,
)
bluetooth = Service(
    "bluetooth_manager",
    "Bluetooth Manager Commands:\n  help or -h\n    Print this help text.\n"
    "  enable\n    Enable Bluetooth on this device.\n  disable\n    Disable Bluetooth on this device.\n",
    shell=ANDROID_8,
)


@phone.command("data", ANDROID_12)
def _data(process: Process, words: list[str]) -> int:
    if words[:1] not in (["enable"], ["disable"]):
        return phone.help(process)
    process.machine.phone.services.radios.set_data(words[0] == "enable")
    return 0


@connectivity.command("airplane-mode")
def _airplane(process: Process, words: list[str]) -> int:
    """Print or set airplane mode; it prints the settings key, which can differ from the radios."""
    store = process.machine.phone.settings
    if not words:
        process.line("enabled" if store.is_on("global", "airplane_mode_on") else "disabled")
        return 0
    if words[0] not in ("enable", "disable"):
        return connectivity.help(process)
    process.machine.phone.services.radios.set_airplane(words[0] == "enable")
    return 0


def _boolean(words: list[str]) -> bool | None:
    return {"true": True, "false": False}.get(words[0]) if words else None


@connectivity.command("set-chain3-enabled", ANDROID_14)
def _set_chain3(process: Process, words: list[str]) -> int:
    on = _boolean(words)
    if on is None:
        return connectivity.help(process)
    process.machine.phone.services.radios.set_chain3(on)
    return 0


@connectivity.command("get-chain3-enabled", ANDROID_14)
def _get_chain3(process: Process, words: list[str]) -> int:
    del words
    on = process.machine.phone.services.radios.chain3
    process.line(f"chain:{'enabled' if on else 'disabled'}")
    return 0


@connectivity.command("set-package-networking-enabled", ANDROID_14)
def _set_package(process: Process, words: list[str]) -> int:
    on = _boolean(words)
    if on is None or len(words) < 2:
        return connectivity.help(process)
    package = words[1]
    if not installed(process, package):
        return _unknown_package(process, package)
    process.machine.phone.services.radios.set_cut_off(package, not on)
    uid = next(installed.uid for installed in process.machine.phone.packages if installed.package == package)
    process.line(f"{'Enabled' if on else 'Disabled'} networking for {package}, appId {uid}")
    return 0


@connectivity.command("get-package-networking-enabled", ANDROID_14)
def _get_package(process: Process, words: list[str]) -> int:
    package = words[0] if words else "null"
    if not installed(process, package):
        return _unknown_package(process, package)
    denied = process.machine.phone.services.radios.cut_off(package)
    process.line(f"{package}:{'deny' if denied else 'allow'}")
    return 0


def _unknown_package(process: Process, package: str) -> int:
    process.line(f"android.content.pm.PackageManager$NameNotFoundException: {package}")
    return FAILED


@bluetooth.command("enable")
def _bluetooth_on(process: Process, words: list[str]) -> int:
    del words
    process.machine.phone.settings.put("global", "bluetooth_on", "1")
    return 0


@bluetooth.command("disable")
def _bluetooth_off(process: Process, words: list[str]) -> int:
    del words
    process.machine.phone.settings.put("global", "bluetooth_on", "0")
    return 0


@bluetooth.command("wait-for-state:STATE_ON")
@bluetooth.command("wait-for-state:STATE_OFF")
def _wait_for_state(process: Process, words: list[str]) -> int:
    """The radio is switched at once, so that it has the state or will not get it."""
    del words
    on = process.machine.phone.settings.is_on("global", "bluetooth_on")
    wanted = process.arguments[-1].rpartition(":")[2]
    return 0 if (wanted == "STATE_ON") == on else FAILED
