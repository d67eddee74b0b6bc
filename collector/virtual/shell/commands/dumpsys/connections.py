"""``dumpsys bluetooth_manager``, ``telecom``, ``usb`` and ``netstats``."""

from __future__ import annotations

from collector.virtual.shell.commands.dumpsys.window.records import truth
from collector.virtual.shell.process import Process
from collector.virtual.shell.services.wifi import ssid

_CALL_STATES = {"incoming": "RINGING", "active": "ACTIVE"}


def dump_bluetooth(process: Process, words: list[str]) -> int:
    """Whether Bluetooth is on; no other device is in range."""
    del words
    phone = process.machine.phone
    on = phone.settings.is_on("global", "bluetooth_on")
    name = phone.settings.get("secure", "bluetooth_name") or phone.profile.model
    process.out(
        f"Bluetooth Status\n  enabled: {truth(on)}\n  state: {'ON' if on else 'OFF'}\n"
        f"  address: 02:00:00:00:00:00\n  name: {name}\n"
    )
    if on:
        seconds = phone.clock.uptime_ns // 1_000_000_000
        process.line(
            f"  time since enabled: {seconds // 3600:02d}:{seconds // 60 % 60:02d}:{seconds % 60:02d}.000"
        )
        process.out(
            "\nEnable log:\n  (none)\n\nBluetooth crashed 0 times\n\nNo BLE Apps registered.\n\n"
            "Bluetooth Adapter Properties\n  ScanMode: NONE\n  ConnectionState: STATE_DISCONNECTED\n"
            "  Bonded devices:\n"
        )
    else:
        process.line("\nBluetooth not enabled!")
    return 0


def dump_telecom(process: Process, words: list[str]) -> int:
    """The calls, and the app that places them."""
    del words
    phone = process.machine.phone
    process.line("CallsManager: \n  mCalls: ")
    for number, (caller, how) in enumerate(phone.services.telephony.calls.items(), 1):
        digits = "*" * max(0, len(caller) - 2) + caller[-2:]
        process.line(
            f"    [Call id=TC@{number}, state={_CALL_STATES[how]}, tpac=ComponentInfo{{com.android.phone/"
            "com.android.services.telephony.TelephonyConnectionService}, cmgr=null, handle=tel:"
            f"{digits}, vidst=A, childs(0), has_parent(false), cap=[Capabilities: CAPABILITY_HOLD]]"
        )
    process.out(
        "  mCallAudioManager:\n    All calls:\n    Active dialing, or connecting calls:\n"
        "  mForegroundCall: null\n  mSelfManagedCallAudioFocus: null\nPhoneAccountRegistrar:\n"
        "  xmlVersion: 9\n  defaultDialer: com.android.dialer\n"
    )
    return 0


def dump_usb(process: Process, words: list[str]) -> int:
    """The cable to the computer, over which adb runs."""
    del words
    supply = process.machine.phone.services.power.supply
    process.out(
        "USB MANAGER STATE (dumpsys usb):\n{\n  device_manager={\n    handler={\n"
        "      current_functions=ADB\n      current_functions_applied=true\n"
        "      screen_locked_functions=\n"
        f"      screen_locked={truth(process.machine.phone.services.lock_screen.showing)}\n"
        f"      connected={truth(supply.usb)}\n      configured={truth(supply.usb)}\n"
        "      host_connected=false\n      source_power=false\n      sink_power=false\n"
        "      usb_charging=false\n      adb_enabled=true\n    }\n  }\n}\n"
    )
    return 0


def dump_netstats(process: Process, words: list[str]) -> int:
    """The interfaces in use; the phone counts no bytes of apps."""
    del words
    radios = process.machine.phone.services.radios
    process.line("Active interfaces:")
    if radios.wifi:
        process.line(
            f'  iface=wlan0 ident=[{{type=1, ratType=COMBINED, wifiNetworkKey="{ssid(process)}", '
            "metered=false, defaultNetwork=true, oemManaged=OEM_NONE}]"
        )
    if radios.data and not radios.airplane:
        process.line(
            "  iface=rmnet0 ident=[{type=0, ratType=COMBINED, subscriberId=310260..., metered=true, "
            f"defaultNetwork={truth(not radios.wifi)}, oemManaged=OEM_NONE, subId=1}}]"
        )
    process.out(
        "Active UID interfaces:\nDev stats:\n  Pending bytes: 0\n  History since boot:\nXt stats:\n"
        "  Pending bytes: 0\n  History since boot:\nUID stats:\n  Pending bytes: 0\n  Complete history:\n"
    )
    return 0
