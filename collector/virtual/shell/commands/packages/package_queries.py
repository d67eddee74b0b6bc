"""``resolve-activity``, ``query-activities`` and the like of ``pm``: which component answers an intent."""

from __future__ import annotations

from typing import TYPE_CHECKING

from collector.virtual.shell.commands.packages.intents import read_intent
from collector.virtual.shell.process import Process
from collector.virtual.ui.effects import Component, Intent

if TYPE_CHECKING:
    from collector.virtual.system.phone import ResolvedActivity

_BY_ACTION, _BY_SCHEME = 0x108000, 0x208000
_BRIEF, _COMPONENTS = "--brief", "--components"
_QUERY_FLAGS = "--query-flags"
_CHOOSER = Component("android", "com.android.internal.app.ResolverActivity")


def resolve_activity(process: Process, words: list[str]) -> int:
    """The activity that ``am start`` would open; Android's chooser when there are several."""
    intent = _intent(words)
    activities = process.machine.phone.query_activities(intent)
    if not activities:
        process.line("No activity found")
    elif len(activities) > 1:
        _print_chooser(
            process, brief=_BRIEF in words or _COMPONENTS in words, header=_COMPONENTS not in words
        )
    else:
        _print(process, "", activities[0], intent, words)
    return 0


def query_activities(process: Process, words: list[str]) -> int:
    """All activities that answer an intent, in the order of installation."""
    intent = _intent(words)
    activities = process.machine.phone.query_activities(intent)
    if not activities:
        process.line("No activities found")
    elif _COMPONENTS in words:
        for activity in activities:
            _print(process, "", activity, intent, words)
    else:
        process.line(f"{len(activities)} activities found:")
        for number, activity in enumerate(activities):
            process.line(f"  Activity #{number}:")
            _print(process, "    ", activity, intent, words)
    return 0


def query_services(process: Process, words: list[str]) -> int:
    """The virtual apps have no services that an intent could find."""
    _intent(words)
    process.line("No services found")
    return 0


def query_receivers(process: Process, words: list[str]) -> int:
    """The virtual apps have no receivers that an intent could find."""
    _intent(words)
    process.line("No receivers found")
    return 0


def _intent(words: list[str]) -> Intent:
    rest = [word for word in words if word not in (_BRIEF, _COMPONENTS)]
    if _QUERY_FLAGS in rest:
        place = rest.index(_QUERY_FLAGS)
        del rest[place : place + 2]
    return read_intent(rest).intent


def _match(intent: Intent, activity: ResolvedActivity) -> str:
    explicit = intent.component is not None
    match = 0 if explicit else _BY_SCHEME if activity.by_data else _BY_ACTION
    default = str(not explicit).lower()
    return f"priority=0 preferredOrder=0 match=0x{match:x} specificIndex=-1 isDefault={default}"


def _print(
    process: Process, prefix: str, activity: ResolvedActivity, intent: Intent, words: list[str]
) -> None:
    """Print one match as ``ResolveInfo.dump`` does, or only its component."""
    if _COMPONENTS not in words:
        process.line(f"{prefix}{_match(intent, activity)}")
    if _COMPONENTS in words or _BRIEF in words:
        process.line(f"{prefix}{activity.component.short}")
        return
    package = activity.package
    label = f"labelRes=0x0 nonLocalizedLabel={package.label} icon=0x7f010000 banner=0x0"
    flags = "0x38a83e45" if package.system else "0x38a83e44"
    lines = (
        "ActivityInfo:",
        f"  name={activity.component.activity}",
        f"  packageName={package.package}",
        f"  {label}",
        f"  enabled=true exported={str(activity.exported).lower()} directBootAware=false",
        f"  taskAffinity={package.package} targetActivity=null persistableMode=PERSIST_ROOT_ONLY",
        f"  launchMode={int(activity.single_top)} flags=0x0 privateFlags=0x0 theme=0x7f020000",
        "  ApplicationInfo:",
        f"    packageName={package.package}",
        f"    {label}",
        f"    processName={package.package}",
        f"    taskAffinity={package.package}",
        f"    uid={package.uid} flags={flags} privateFlags=0x0 theme=0x7f020000",
        f"    sourceDir={package.apk}",
        f"    dataDir=/data/user/0/{package.package}",
    )
    process.out("".join(f"{prefix}{line}\n" for line in lines))


def _print_chooser(process: Process, *, brief: bool, header: bool) -> None:
    if header:
        process.line("priority=0 preferredOrder=0 match=0x0 specificIndex=-1 isDefault=false")
    if brief:
        process.line(_CHOOSER.short)
    else:
        process.out(
            f"ActivityInfo:\n  name={_CHOOSER.activity}\n  packageName={_CHOOSER.package}\n"
            "  enabled=true exported=true directBootAware=true\n"
        )
