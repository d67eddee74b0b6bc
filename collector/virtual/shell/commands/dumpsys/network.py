"""``dumpsys wifi``, ``connectivity`` and ``location``: the lines that tools parse."""

from __future__ import annotations

from collector.virtual.shell.process import Process
from collector.virtual.shell.services.wifi import ADDRESS, ssid, wifi_info

_WIFI, _MOBILE = 100, 101


def dump_wifi(process: Process, words: list[str]) -> int:
    """Whether Wi-Fi is on, and the network it is connected to."""
    del words
    radios = process.machine.phone.services.radios
    on = radios.wifi
    process.out(
        f"Wi-Fi is {'enabled' if on else 'disabled'}\n"
        f"Verbose logging is off\nmInIdleMode false\nmScanPending false\n"
        f"mAirplaneModeOn {'true' if radios.airplane else 'false'}\n"
    )
    if on:
        process.line(f"mWifiInfo {wifi_info(process)}")
        process.line(
            f'mLastNetworkId 0\nmNetworkInfo [type: WIFI[], state: CONNECTED, extra: "{ssid(process)}"]'
        )
    else:
        process.line("mNetworkInfo [type: WIFI[], state: DISCONNECTED]")
    return 0


def dump_connectivity(process: Process, words: list[str]) -> int:
    """The networks, and which one carries the traffic of apps."""
    del words
    radios = process.machine.phone.services.radios
    networks: list[str] = []
    if radios.wifi:
        networks.append(_network(_WIFI, "WIFI", f'"{ssid(process)}"', f"{ADDRESS}/24", "wlan0"))
    if radios.data and not radios.airplane:
        networks.append(_network(_MOBILE, "CELLULAR", "Waymark", "10.0.3.17/24", "rmnet0"))
    active = "none" if not networks else str(_WIFI if radios.wifi else _MOBILE)
    process.line(f"Active default network: {active}\n\nCurrent Networks:")
    for network in networks:
        process.line(f"  {network}")
    process.out(
        f"\nAirplane mode: {'on' if radios.airplane else 'off'}\n"
        f"FIREWALL_CHAIN_OEM_DENY_3: {'enabled' if radios.chain3 else 'disabled'}\n"
    )
    return 0


def _network(number: int, kind: str, name: str, address: str, interface: str) -> str:
    return (
        f"NetworkAgentInfo{{network{{{number}}}  handle{{{number << 32 | 0xCAFED00D}}}  ni{{{kind} CONNECTED "
        f"extra: {name}}}  lp{{{{InterfaceName: {interface} LinkAddresses: [ {address} ]}}}}  "
        f"nc{{[ Transports: {kind} Capabilities: INTERNET&NOT_RESTRICTED&TRUSTED&NOT_VPN&VALIDATED ]}}}}"
    )


def dump_location(process: Process, words: list[str]) -> int:
    """Whether location is on, and the last location of each provider: of a test provider, or of the GPS."""
    del words
    services = process.machine.phone.services
    location, enabled = services.location, str(services.radios.location).lower()
    elapsed = f"et=+{process.machine.phone.clock.uptime_ns // 1_000_000}ms"
    mock, fix = location.mock, location.gps
    process.out(f"Location Manager State:\n  User Info:\n  Location Setting: {enabled}\n")
    for provider in ("gps", "network", "fused"):
        last = "null"
        if mock is not None:
            last = f"Location[{provider} {mock[0]:.6f},{mock[1]:.6f} hAcc=1.0 {elapsed} mock]"
        elif fix is not None and provider != "network":
            moving = f" vel={fix.speed:g}" if fix.speed else ""
            where = f"{fix.latitude:.6f},{fix.longitude:.6f} hAcc=5.0 {elapsed} alt={fix.altitude:g}{moving}"
            last = f"Location[{provider} {where}]"
        process.out(
            f"  {provider} provider{' [mock]' if mock is not None else ''}:\n    last location={last}\n"
            f"    enabled={enabled}\n"
        )
    return 0
