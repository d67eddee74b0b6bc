"""``dumpsys notification`` and ``dumpsys appops``."""

from __future__ import annotations

from collector.virtual.shell.process import Process

_ZEN = {"0": "off", "1": "important_interruptions", "2": "no_interruptions", "3": "alarms"}
_HIGH, _DEFAULT = 4, 3


def dump_notifications(process: Process, words: list[str]) -> int:
    """The posted notifications and the "do not disturb" state."""
    del words
    phone = process.machine.phone
    process.line("Current Notification Manager state:\n  Notification List:")
    for posted, key in zip(phone.services.notices.posted, phone.services.notices.listed(), strict=True):
        importance = _HIGH if posted.notice.urgent else _DEFAULT
        process.out(
            f"    NotificationRecord(0x{posted.number:08x}: pkg={posted.package} user=UserHandle{{0}} "
            f"id={posted.notice.id} tag={posted.notice.tag or 'null'} importance={importance} key={key}: "
            "Notification(channel=shellcmd shortcut=null contentView=null vibrate=null sound=null "
            "defaults=0x0 flags=0x0 color=0x00000000 vis=PRIVATE))\n"
            f"      extras={{\n          android.title=String ({posted.title})\n"
            f"          android.text=String ({posted.text})\n      }}\n"
        )
    mode = phone.settings.get("global", "zen_mode") or "0"
    process.out(
        f"\n  Zen Mode:\n    mInterruptionFilter=1\n    mZenMode=ZEN_MODE_{_ZEN.get(mode, 'off').upper()}\n"
    )
    return 0


def dump_appops(process: Process, words: list[str]) -> int:
    """App operations whose mode was set."""
    del words
    phone = process.machine.phone
    process.line("Current AppOps Service state:")
    for package in phone.packages:
        ops = phone.services.permissions.ops(package.package)
        if ops:
            process.line(f"  Uid u0a{package.uid % 10000}:\n    Package {package.package}:")
        for name, mode in ops.items():
            process.line(f"      {name} ({mode}): ")
    return 0
