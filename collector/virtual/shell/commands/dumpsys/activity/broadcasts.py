"""``dumpsys activity broadcasts`` and ``intents``: receivers, what was sent, and what stays."""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterator
from dataclasses import dataclass

from collector.virtual.shell.commands.dumpsys.activity.processes import elapsed
from collector.virtual.shell.commands.packages.intents import intent_text
from collector.virtual.shell.process import Process
from collector.virtual.system.phone import Phone
from collector.virtual.system.phone_state.broadcasts import BroadcastResult, SentBroadcast
from collector.virtual.system.phone_state.input_log import window_token
from collector.virtual.system.phone_state.state import SYSTEM_PID
from collector.virtual.ui.effects import Intent

_TICKS = 10
"""So many minutes of the clock are remembered."""
_TICK_FLAGS, _STICKY_FLAGS = 0x50200014, 0x60000010
_TIME_TICK = "android.intent.action.TIME_TICK"
_SYSTEM_RECEIVERS = (
    ("android.intent.action.PACKAGE_ADDED", "android.intent.action.PACKAGE_REMOVED"),
    ("android.intent.action.SCREEN_ON", "android.intent.action.SCREEN_OFF"),
    (_TIME_TICK, "android.intent.action.TIME_SET", "android.intent.action.TIMEZONE_CHANGED"),
    ("android.intent.action.BATTERY_CHANGED",),
    ("android.net.conn.CONNECTIVITY_CHANGE",),
)
"""What the system listens to, each a receiver."""


@dataclass(frozen=True, slots=True)
class _Sticky:
    action: str
    extras: str


def dump_broadcasts(process: Process, words: list[str]) -> None:
    """Receivers, the latest broadcasts in the foreground and in the background, and the sticky ones."""
    phone = process.machine.phone
    process.line("ACTIVITY MANAGER BROADCAST STATE (dumpsys activity broadcasts)")
    process.line("  Registered Receivers:")
    for number, actions in enumerate(_SYSTEM_RECEIVERS):
        head = f"{SYSTEM_PID} system/1000/u-1 local:{window_token(f'receiver {number}')}"
        process.line(f"  * ReceiverList{{{window_token(f'list {number}')} {head}}}")
        process.line(f"    app={SYSTEM_PID}:system/1000 pid={SYSTEM_PID} uid=1000 user=-1")
        process.line(f"    Filter #0: BroadcastFilter{{{window_token(f'filter {number}')}}}")
        process.out("".join(f'      Action: "{action}"\n' for action in actions))
    sent = phone.services.broadcasts.history
    package = next((word for word in words if not word.startswith("-")), "")
    if package:
        sent = [entry for entry in sent if package in (entry.intent.package, _target(entry.intent))]
    _print_history(process, "foreground", [] if package else list(_ticks(phone)))
    _print_history(process, "background", sent)
    process.line("\n  Sticky broadcasts for user -1:")
    for sticky in _sticky(phone):
        process.line(f"  * Sticky action {sticky.action}:")
        process.line(
            f"    Intent: act={sticky.action} flg={_STICKY_FLAGS:#x}\n      Bundle[{{{sticky.extras}}}]"
        )
    process.out("\n  mBroadcastsScheduled [foreground]=false\n  mBroadcastsScheduled [background]=false\n")


def _target(intent: Intent) -> str:
    return intent.component.package if intent.component is not None else ""


def _ticks(phone: Phone) -> Iterator[SentBroadcast]:
    """The minutes that the clock told, the latest first."""
    clock = phone.clock
    now, uptime_ns = clock.now, clock.uptime_ns
    minute = now.replace(second=0, microsecond=0)
    for number in range(_TICKS):
        at = minute - dt.timedelta(minutes=number)
        ago = int((now - at).total_seconds() * 1e9)
        if ago > uptime_ns:
            return
        extras: dict[str, object] = {"android.intent.extra.ALARM_COUNT": 1}
        yield SentBroadcast(
            Intent(_TIME_TICK, flags=_TICK_FLAGS, extras=extras), at, uptime_ns - ago, BroadcastResult()
        )


def _print_history(process: Process, queue: str, sent: list[SentBroadcast]) -> None:
    now = process.machine.phone.clock.uptime_ns
    process.line(f"\n  Historical broadcasts [{queue}]:")
    for number, entry in enumerate(sent):
        intent, at = entry.intent, f"{entry.at:%Y-%m-%d %H:%M:%S}"
        tick = intent.action == _TIME_TICK
        user, caller = (
            ("-1", "android null pid=-1 uid=1000")
            if tick
            else ("0", "com.android.shell null pid=-1 uid=2000")
        )
        ago = elapsed((now - entry.uptime_ns) // 1_000_000)
        process.line(f"  Historical Broadcast {queue} #{number}:")
        named = window_token(f"broadcast {entry.uptime_ns}")
        process.out(
            f"    BroadcastRecord{{{named} u{user} {intent.action}}} to user {user}\n    "
            f"{intent_text(intent)}\n"
        )
        if intent.extras:
            process.line(f"      extras: {_bundle(intent)}")
        data = "null" if entry.result.data is None else entry.result.data
        process.out(
            f"    caller={caller}\n    enqueueClockTime={at} dispatchClockTime={at}\n"
            f"    dispatchTime=-{ago} (0 since enq) finishTime=-{ago} (0 since disp)\n"
            f"    resultTo=null resultCode={entry.result.code} resultData={data}\n"
            "    nextReceiver=0 receiver=null\n"
        )
    process.line(f"\n  Historical broadcasts summary [{queue}]:")
    for number, entry in enumerate(sent):
        at = f"{entry.at:%Y-%m-%d %H:%M:%S}"
        shown = intent_text(entry.intent).removeprefix("Intent { ").removesuffix(" }")
        process.line(f"  #{number}: {shown}\n    0 dispatch 0 finish\n    enq={at} disp={at} fin={at}")
        if entry.intent.extras:
            process.line(f"    extras: {_bundle(entry.intent)}")


def _bundle(intent: Intent) -> str:
    """The extras as ``Bundle.toString`` prints them."""
    parts = []
    for key, value in intent.extras.items():
        text = "null" if value is None else str(value)
        parts.append(f"{key}={text.lower() if isinstance(value, bool) else text}")
    return f"Bundle[{{{', '.join(parts)}}}]"


def _sticky(phone: Phone) -> list[_Sticky]:
    supply = phone.services.power.supply
    plug = 1 * supply.ac | 2 * supply.usb | 4 * supply.wireless
    radios = phone.services.radios
    ringer = phone.settings.get("global", "mode_ringer") or "2"
    kind = "WIFI" if radios.wifi else "MOBILE"
    connected = "CONNECTED" if radios.wifi or (radios.data and not radios.airplane) else "DISCONNECTED"
    network = (
        f"networkInfo=[type: {kind}[], state: {connected}/{connected}, reason: (unspecified), extra: (none), "
        f"failover: false, available: true, roaming: false], networkType={int(radios.wifi)}, inetCondition=0"
    )
    return [
        _Sticky(
            "android.net.wifi.WIFI_STATE_CHANGED",
            f"previous_wifi_state={2 if radios.wifi else 0}, wifi_state={3 if radios.wifi else 1}",
        ),
        _Sticky(
            "android.intent.action.BATTERY_CHANGED",
            f"technology=Li-ion, health={supply.health}, status={supply.status}, "
            f"plugged={plug}, present=true, "
            f"level={supply.level}, scale=100, temperature={supply.temperature}, voltage={supply.voltage}, "
            f"battery_low={str(phone.services.power.low).lower()}",
        ),
        _Sticky("android.net.conn.CONNECTIVITY_CHANGE", network),
        _Sticky("android.media.RINGER_MODE_CHANGED", f"android.media.EXTRA_RINGER_MODE={ringer}"),
    ]


def dump_intents(process: Process, words: list[str]) -> None:
    """The intents that wait for somebody to send them: the clock's, and those of posted notifications."""
    del words
    phone = process.machine.phone
    process.line("ACTIVITY MANAGER PENDING INTENTS (dumpsys activity intents)")
    process.line("  * android: 1 items")
    process.out(
        f"    #0: PendingIntentRecord{{{window_token('time tick')} android broadcastIntent}}\n"
        "      uid=1000 packageName=android type=broadcastIntent flags=0x0\n"
        f"      requestIntent=act={_TIME_TICK} flg=0x50200000\n      sent=true canceled=false\n"
    )
    owners = phone.services.packages.uids
    posted: dict[str, list[int]] = {}
    for notice in phone.services.notices.posted:
        if notice.package in owners:
            posted.setdefault(notice.package, []).append(notice.number)
    for package, numbers in posted.items():
        process.line(f"  * {package}: {len(numbers)} items")
        for place, number in enumerate(numbers):
            process.out(
                f"    #{place}: "
                f"PendingIntentRecord{{{window_token(f'{package} {number}')} {package} startActivity}}\n"
                f"      uid={owners[package]} packageName={package} type=startActivity flags=0x4000000\n"
                f"      requestCode={number} requestResolvedType=null\n"
                f"      requestIntent=act=android.intent.action.MAIN pkg={package}\n"
            )
