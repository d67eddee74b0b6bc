"""``cmd wifi``: the networks in range, those that are saved, and the one that is joined."""

from __future__ import annotations

from typing import Any

from collector.virtual.android_versions import ANDROID_9, ANDROID_11
from collector.virtual.shell.process import Process
from collector.virtual.shell.services.service import FAILED, Service
from collector.virtual.ui.content import load

BSSID, ADDRESS = "02:00:00:00:01:00", "10.0.2.16"
_OPEN = ("open", "owe")
_SHORTEST = 8
"""Letters of a password at least."""
wifi = Service(
    "wifi",
    "Wi-Fi (wifi) commands:\n  help or -h\n    Print this help text.\n"
    "  connect-network <ssid> open|owe|wpa2|wpa3 [<passphrase>]\n"
    "    Connect to a network with provided params and add to saved networks list\n"
    "  forget-network <networkId>\n    Remove the network mentioned by <networkId>\n"
    "  list-networks\n    Lists the saved networks\n"
    "  list-scan-results\n    Lists the latest scan results\n"
    "  set-wifi-enabled enabled|disabled\n    Enables/disables Wifi on this device.\n"
    "  start-scan\n    Start a new scan\n"
    "  status\n    Current wifi status\n",
    shell=ANDROID_9,
)


def _networks() -> list[dict[str, Any]]:
    networks: list[dict[str, Any]] = load("settings")["networks"]
    return networks


def _change(process: Process, **values: object) -> None:
    """Change what the settings app keeps of networks."""
    phone = process.machine.phone
    phone.set_app_state("settings", {**phone.app_state("settings"), **values})


def ssid(process: Process) -> str:
    """The name of the network that the settings app joined."""
    joined = process.machine.phone.app_state("settings")["network"]
    return next(
        (str(network["name"]) for network in _networks() if network["id"] == joined), "<unknown ssid>"
    )


def wifi_info(process: Process) -> str:
    """The connection formatted as Android's ``WifiInfo``."""
    return (
        f'SSID: "{ssid(process)}", BSSID: {BSSID}, MAC: 02:00:00:00:00:00, IP: /{ADDRESS}, Security type: 2, '
        "Supplicant state: COMPLETED, Wi-Fi standard: 5, RSSI: -50, Link speed: 433Mbps, "
        "Tx Link speed: 433Mbps, Rx Link speed: 433Mbps, Frequency: 5180MHz, Net ID: 0, "
        "Metered hint: false, score: 60"
    )


@wifi.command("set-wifi-enabled", ANDROID_11)
def _set_wifi(process: Process, words: list[str]) -> int:
    if words[:1] not in (["enabled"], ["disabled"]):
        reason = (
            f"Expected 'enabled' or 'disabled' as next arg but got '{words[0]}'"
            if words
            else 'Argument expected after "set-wifi-enabled"'
        )
        process.line(f"Invalid args for set-wifi-enabled: java.lang.IllegalArgumentException: {reason}")
        return FAILED
    process.machine.phone.services.radios.set_wifi(words[0] == "enabled")
    return 0


@wifi.command("status", ANDROID_11)
def _status(process: Process, words: list[str]) -> int:
    del words
    on = process.machine.phone.services.radios.wifi
    process.line(f"Wifi is {'enabled' if on else 'disabled'}")
    process.line("Wifi scanning is only available when wifi is enabled")
    if on:
        process.out(
            "==== Primary ClientModeManager instance ====\n"
            f'Wifi is connected to "{ssid(process)}"\nWifiInfo: {wifi_info(process)}\n'
        )
    return 0


@wifi.command("list-networks", ANDROID_11)
def _list_networks(process: Process, words: list[str]) -> int:
    """The saved networks; their numbers are their places among all that the phone can find."""
    del words
    saved = process.machine.phone.app_state("settings")["saved"]
    rows = [(number, network) for number, network in enumerate(_networks()) if network["id"] in saved]
    if not rows:
        process.line("No networks")
        return 0
    process.line("Network Id      SSID                         Security type")
    for number, network in rows:
        security = "wpa2-psk" if network["secured"] else "open"
        process.line(f"{number:<12d} {network['name']:<32s} {security:<4s}")
    return 0


@wifi.command("list-scan-results", ANDROID_11)
def _scan_results(process: Process, words: list[str]) -> int:
    del words
    if not process.machine.phone.services.radios.wifi:
        process.line("No scan results")
        return 0
    age = process.machine.phone.clock.uptime_ns // 1_000_000 % 20_000 / 1000
    process.line(
        "    BSSID              Frequency      RSSI           Age(sec)     SSID                            "
        "     Flags"
    )
    for number, network in enumerate(_networks()):
        flags = "[WPA2-PSK-CCMP][RSN-PSK-CCMP][ESS]" if network["secured"] else "[ESS]"
        process.line(
            f"  02:00:00:00:01:{number:02x}       {5180 if number == 0 else 2412 + 5 * number}        "
            f"{-50 - 7 * number:<13} {age:<12.3f} {network['name']:<36} {flags}"
        )
    return 0


@wifi.command("start-scan", ANDROID_11)
def _start_scan(process: Process, words: list[str]) -> int:
    del process, words
    return 0


@wifi.command("connect-network", ANDROID_11)
def _connect(process: Process, words: list[str]) -> int:
    """Join a network in range; ``-x`` and others before the security are accepted."""
    if not words:
        return _missing(process, "connect-network")
    network = next((network for network in _networks() if network["name"] == words[0]), None)
    kind = words[1] if len(words) > 1 else ""
    if kind not in (*_OPEN, "wpa2", "wpa3"):
        what = f"Unknown network type {kind}" if kind else 'Argument expected after "connect-network"'
        process.line(f"Invalid args for connect-network: java.lang.IllegalArgumentException: {what}")
        return FAILED
    password = words[2] if len(words) > 2 else ""
    fits = network is not None and bool(network["secured"]) == (kind not in _OPEN)
    radio = process.machine.phone.services.radios.wifi
    if network is None or not fits or not radio or (network["secured"] and len(password) < _SHORTEST):
        process.line("Connection failed")
        return 0
    state = process.machine.phone.app_state("settings")
    _change(process, network=network["id"], saved=list(dict.fromkeys([*state["saved"], network["id"]])))
    process.line("Connection initiated ")
    return 0


@wifi.command("forget-network", ANDROID_11)
def _forget(process: Process, words: list[str]) -> int:
    if not words:
        return _missing(process, "forget-network")
    saved = process.machine.phone.app_state("settings")["saved"]
    known = {str(number): network["id"] for number, network in enumerate(_networks())}
    if known.get(words[0]) not in saved:
        process.line("Forget failed with error code: 0")
        return 0
    _change(process, saved=[name for name in saved if name != known[words[0]]])
    process.line("Forget successful")
    return 0


def _missing(process: Process, command: str) -> int:
    process.line(
        f'Invalid args for {command}: java.lang.IllegalArgumentException: Argument expected after "{command}"'
    )
    return FAILED


_COUNTRY = ("global", "wifi_country_code")


@wifi.command("get-country-code", ANDROID_11)
def _country(process: Process, words: list[str]) -> int:
    del words
    process.line(f"Wifi Country Code = {process.machine.phone.settings.get(*_COUNTRY) or 'US'}")
    return 0


@wifi.command("force-country-code", ANDROID_11)
def _force_country(process: Process, words: list[str]) -> int:
    """``enabled XX`` or ``disabled``."""
    store = process.machine.phone.settings
    if words[:1] == ["disabled"]:
        store.put(*_COUNTRY, "US")
        return 0
    if words[:1] != ["enabled"] or not words[1:]:
        return wifi.help(process)
    if len(words[1]) != 2 or not words[1].isalnum():
        process.line(
            "Invalid argument: Country code must be a 2-Character alphanumeric code. But got countryCode "
            f"{words[1]} instead"
        )
        return FAILED
    store.put(*_COUNTRY, words[1].upper())
    return 0


@wifi.command("set-verbose-logging", ANDROID_11)
def _verbose(process: Process, words: list[str]) -> int:
    return 0 if words[:1] in (["enabled"], ["disabled"]) else wifi.help(process)


@wifi.command("settings-reset", ANDROID_11)
def _reset_networks(process: Process, words: list[str]) -> int:
    """Forget every network that was saved, and leave the one that was joined."""
    del words
    _change(process, network="", saved=[])
    return 0
