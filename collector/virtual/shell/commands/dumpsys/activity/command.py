"""``dumpsys activity [-a] [activities|top|processes|broadcasts|services|recents|... or a package]``."""

from __future__ import annotations

from collections.abc import Callable

from collector.virtual.android_versions import ANDROID_9, ANDROID_11
from collector.virtual.shell.commands.dumpsys.activity.activities import (
    dump_activities,
    dump_containers,
    dump_recents,
)
from collector.virtual.shell.commands.dumpsys.activity.broadcasts import dump_broadcasts, dump_intents
from collector.virtual.shell.commands.dumpsys.activity.processes import (
    dump_order,
    dump_processes,
    dump_recent_order,
)
from collector.virtual.shell.commands.dumpsys.activity.services import (
    dump_providers,
    dump_service,
    dump_services,
)
from collector.virtual.shell.commands.dumpsys.activity.top import dump_named, dump_top
from collector.virtual.shell.commands.dumpsys.window.last_anr import anr_lines
from collector.virtual.shell.process import Process
from collector.virtual.system.phone_state.process_exits import ProcessExit

_LINE = "-" * 79
_HELP = """Activity manager dump options:
  [-a] [-c] [-p PACKAGE] [-h] [WHAT] ...
  WHAT may be one of:
    a[ctivities]: activity stack state
    r[recents]: recent activities state
    b[roadcasts] [PACKAGE_NAME] [history [-s]]: broadcast state
    broadcast-stats [PACKAGE_NAME]: aggregated broadcast statistics
    i[ntents] [PACKAGE_NAME]: pending intent state
    p[rocesses] [PACKAGE_NAME]: process state
    o[om]: out of memory management
    perm[issions]: URI permission grant state
    prov[iders] [COMP_SPEC ...]: content provider state
    provider [COMP_SPEC]: provider client-side state
    s[ervices] [COMP_SPEC ...]: service state
    as[sociations]: tracked app associations
    exit-info [PACKAGE_NAME]: historical process exit information
    lmk: stats on low memory killer
    lru: raw LRU process list
    binder-proxies: stats on binder objects and IPCs
    settings: currently applied config settings
    timers: the current ANR timer state
    service [COMP_SPEC]: service client-side state
    package [PACKAGE_NAME]: all state related to given package
    all: dump all activities
    top: dump the top activity
    users: user state
  WHAT may also be a COMP_SPEC to dump activities.
  COMP_SPEC may be a component name (com.foo/.myApp),
    a partial substring in a component name, a
    hex object identifier.
  -a: include all available server state.
  -c: include client state.
  -p: limit output to given package.
  -d: limit output to given display.
  -h: print this help text.
"""


def dump_activity(process: Process, words: list[str]) -> int:
    """The requested section, the activities of a component, or everything."""
    if "-h" in words:
        process.out(_HELP)
        return 0
    rest = [word for word in words if word not in ("-a", "-c", "-v")]
    if not rest:
        _dump_all(process, "-a" in words)
        return 0
    section, more = rest[0], rest[1:]
    if section in _SECTIONS:
        _SECTIONS[section](process, more)
    elif section == "package":
        _package(process, more)
    elif not dump_named(process, section):
        process.line(f"Bad activity command, or no activities match: {section}\nUse -h for help.")
    return 0


def _dump_all(process: Process, whole: bool) -> None:
    for number, section in enumerate(_ALL):
        if number:
            process.line()
        if whole and number:
            process.line(_LINE)
        section(process, [])


def _package(process: Process, words: list[str]) -> None:
    """All that is related to one package."""
    if not words:
        process.line("package: no package name specified\nUse -h for help.")
        return
    for number, section in enumerate(
        (dump_intents, dump_broadcasts, dump_providers, dump_services, dump_processes)
    ):
        if number:
            process.line(f"\n{_LINE}")
        section(process, words[:1])


def _settings(process: Process, words: list[str]) -> None:
    del words
    process.out(
        "ACTIVITY MANAGER SETTINGS (dumpsys activity settings) activity_manager_constants:\n"
        "  max_cached_processes=32\n  background_settle_time=60000\n  fgservice_min_shown_time=2000\n"
        "  content_provider_retain_time=20000\n  gc_timeout=5000\n  gc_min_interval=60000\n"
        "  full_pss_min_interval=1200000\n  power_check_interval=300000\n"
        "  service_restart_duration=1000\n  service_max_inactivity=1800000\n\n"
        "  CUR_MAX_CACHED_PROCESSES=32\n  CUR_MAX_EMPTY_PROCESSES=16\n"
    )


def _broadcast_stats(process: Process, words: list[str]) -> None:
    del words
    process.line("ACTIVITY MANAGER BROADCAST STATS STATE (dumpsys activity broadcast-stats)")
    counts: dict[str, int] = {}
    for sent in process.machine.phone.services.broadcasts.history:
        counts[sent.intent.action] = counts.get(sent.intent.action, 0) + 1
    if not counts:
        process.line("  No broadcast stats.")
    for action, count in sorted(counts.items(), key=lambda entry: -entry[1]):
        process.line(f"    {action}:\n        Number received: {count}, skipped: 0")


def _permissions(process: Process, words: list[str]) -> None:
    del words
    process.line("ACTIVITY MANAGER URI PERMISSIONS (dumpsys activity permissions)\n  (nothing)")


def _last_anr(process: Process, words: list[str]) -> None:
    """The app that did not respond last."""
    del words
    process.line("ACTIVITY MANAGER LAST ANR (dumpsys activity lastanr)")
    process.out("".join(f"  {line}\n" for line in anr_lines(process)))


def _starter(process: Process, words: list[str]) -> None:
    del words
    head = "ACTIVITIES" if process.machine.phone.profile.sdk < ANDROID_9 else "STARTER"
    process.line(f"ACTIVITY MANAGER {head} (dumpsys activity starter)")
    stack = process.machine.phone.stack()
    if not stack:
        process.line("(nothing)")
        return
    process.out(
        "  mCurrentUser=0\n  mLastStartReason=startActivityAsUser\n  mLastStartActivityResult=0\n"
        f"  mLastStartActivityRecord:\n    packageName={stack[0].component.package} "
        f"processName={stack[0].component.package}\n    mActivityComponent={stack[0].component.short}\n"
    )


def _users(process: Process, words: list[str]) -> None:
    del words
    process.line(
        "  mStartedUsers:\n    User #0: state=RUNNING_UNLOCKED\n  mStartedUserArray: [0]\n  mUserLru: [0]"
    )


def _exit_info(process: Process, words: list[str]) -> None:
    """Why processes of apps ended since the phone was switched on."""
    phone = process.machine.phone
    if phone.profile.sdk < ANDROID_11:
        process.line("Bad activity command, or no activities match: exit-info\nUse -h for help.")
        return
    process.line("ACTIVITY MANAGER PROCESS EXIT INFO (dumpsys activity exit-info)")
    process.line("Last Timestamp of Persistence Into Persistent Storage: N/A")
    owners = phone.services.packages.uids
    exits: dict[str, list[ProcessExit]] = {}
    for end in phone.services.processes.exits:
        if not words or words[0] == end.package:
            exits.setdefault(end.package, []).append(end)
    for package, ends in exits.items():
        uid = owners.get(package, 1000)
        process.line(f"  package: {package}\n    Historical Process Exit for uid={uid}")
        for number, end in enumerate(ends):
            code, name = end.reason
            process.out(
                f"        ApplicationExitInfo #{number}:\n"
                "          "
                f"timestamp={end.at:%Y-%m-%d %H:%M:%S}.{end.at.microsecond // 1000:03d} pid={end.pid} "
                f"realUid={uid} packageUid={uid} definingUid={uid} user=0\n"
                f"          process={package} reason={code} ({name}) subreason=0 "
                f"(UNKNOWN) status={end.status}\n"
                f"          importance=100 pss=0.00 rss=0.00 description={end.cause} state=empty trace=null\n"
            )


_Section = Callable[[Process, list[str]], None]
_SECTIONS: dict[str, _Section] = {
    **dict.fromkeys(("activities", "a"), dump_activities),
    **dict.fromkeys(("recents", "r"), dump_recents),
    **dict.fromkeys(("broadcasts", "b"), dump_broadcasts),
    **dict.fromkeys(("intents", "i"), dump_intents),
    **dict.fromkeys(("processes", "p"), dump_processes),
    **dict.fromkeys(("oom", "o"), dump_order),
    **dict.fromkeys(("permissions", "perm"), _permissions),
    **dict.fromkeys(("providers", "prov"), dump_providers),
    **dict.fromkeys(("services", "s"), dump_services),
    "broadcast-stats": _broadcast_stats,
    "containers": dump_containers,
    "exit-info": _exit_info,
    "lastanr": _last_anr,
    "lru": dump_recent_order,
    "service": dump_service,
    "settings": _settings,
    "starter": _starter,
    "top": dump_top,
    "users": _users,
}
_ALL: tuple[_Section, ...] = (
    _settings, dump_intents, dump_broadcasts, _broadcast_stats, dump_providers, _permissions, dump_services,
    dump_recents, _last_anr, _starter, dump_containers, dump_activities, dump_processes,
)  # fmt: skip
"""In the order in which Android prints them."""
