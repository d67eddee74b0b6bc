"""``dumpsys window [-a] [lastanr|policy|animator|sessions|displays|tokens|windows|... or a window]``."""

from __future__ import annotations

from collections.abc import Callable

from collector.virtual.android_versions import ANDROID_10, ANDROID_11
from collector.virtual.shell.commands.dumpsys.window.displays import dump_displays
from collector.virtual.shell.commands.dumpsys.window.last_anr import anr_lines
from collector.virtual.shell.commands.dumpsys.window.policy import dump_policy
from collector.virtual.shell.commands.dumpsys.window.records import hash_code
from collector.virtual.shell.commands.dumpsys.window.shown_windows import WindowRow, window_rows
from collector.virtual.shell.commands.dumpsys.window.windows import (
    animator_name,
    dump_windows,
    session_name,
    token_name,
)
from collector.virtual.shell.process import Process
from collector.virtual.system.phone_state.input_log import window_token

_LINE = "-" * 79
_HELP = """Window manager dump options:
  [-a] [-h] [cmd] ...
  cmd may be one of:
    l[astanr]: last ANR information
    p[policy]: policy state
    a[animator]: animator state
    s[essions]: active sessions
    surfaces: active surfaces (debugging enabled only)
    d[isplays]: active display contents
    t[okens]: token list
    w[indows]: window list
    a11y[accessibility]: accessibility-related state
    package-config: installed packages having app-specific config
    trace: print trace status and write Winscope trace to file
  cmd may also be a NAME to dump windows.  NAME may
    be a partial substring in a window name, a
    Window hex object identifier, or
    "all" for all windows, or
    "visible" for the visible windows.
    "visible-apps" for the visible app windows.
  -a: include all available server state.
  --proto: output dump in protocol buffer format.
"""


def dump_window(process: Process, words: list[str]) -> int:
    """All sections, the requested one, or the windows with this name."""
    if "-h" in words:
        process.out(_HELP)
        return 0
    whole = "-a" in words
    named = next((word for word in words if not word.startswith("-")), "")
    if not named:
        _dump_all(process, whole)
    elif named in _SECTIONS:
        _SECTIONS[named](process)
    elif rows := _matching(process, named):
        if named == "apps" or named == "visible-apps":
            dump_displays(process)
        dump_windows(process, rows)
    else:
        process.line(f"Bad window command, or no windows match: {named}\nUse -h for help.")
    return 0


def _dump_all(process: Process, whole: bool) -> None:
    sdk = process.machine.phone.profile.sdk
    sections: list[Callable[[Process], None]] = [
        _last_anr, dump_policy, _animator, _sessions, dump_displays, _tokens,
        lambda process: dump_windows(process, whole=whole),
    ]  # fmt: skip
    if sdk >= ANDROID_10:
        sections += [_trace]
    if sdk >= ANDROID_11:
        sections += [_logging, _refresh_rates, _constants]
    for number, section in enumerate(sections):
        if number:
            process.line()
        if whole:
            process.line(_LINE)
        section(process)


def _matching(process: Process, name: str) -> list[WindowRow]:
    """The windows by name, by token, or by what can be seen."""
    rows = window_rows(process.machine.phone)
    if name in ("visible", "apps", "visible-apps"):
        return [
            row
            for row in rows
            if (row.visible or "visible" not in name) and (row.record is not None or "apps" not in name)
        ]
    return [row for row in rows if name in row.title or window_token(row.title) == name]


def _last_anr(process: Process) -> None:
    process.line("WINDOW MANAGER LAST ANR (dumpsys window lastanr)")
    process.out("".join(f"  {line}\n" for line in anr_lines(process)))


def _animator(process: Process) -> None:
    process.line("WINDOW MANAGER ANIMATOR STATE (dumpsys window animator)\n    DisplayContentsAnimator #0:")
    for number, row in enumerate(window_rows(process.machine.phone)):
        process.line(f"      Window #{number}: {animator_name(row)}")
    process.line("\n")


def _sessions(process: Process) -> None:
    phone = process.machine.phone
    owners = phone.services.packages.uids
    process.line("WINDOW MANAGER SESSIONS (dumpsys window sessions)")
    packages = [row.package for row in window_rows(phone)]
    for package in dict.fromkeys(packages):
        inside = str(package == "com.android.systemui").lower()
        process.out(
            f"  Session {session_name(phone, package, owners.get(package, 1000))}:\n"
            f"    mNumWindow={packages.count(package)} mCanAddInternalSystemWindow={inside} "
            "mAppOverlaySurfaces={} mAlertWindowSurfaces={} mClientDead=false "
            f"mSurfaceSession=android.view.SurfaceSession@{hash_code(f'surfaces {package}')}\n"
            f"    mPackageName={package}\n"
        )


def _tokens(process: Process) -> None:
    phone = process.machine.phone
    process.line("WINDOW MANAGER TOKENS (dumpsys window tokens)\n  All tokens:\n  Display #0")
    tokens: dict[str, list[WindowRow]] = {}
    for row in window_rows(phone):
        tokens.setdefault(token_name(row, phone.profile.sdk), []).append(row)
    for token in tokens:
        process.line(f"  {token}")


def _trace(process: Process) -> None:
    process.line("WINDOW MANAGER TRACE (dumpsys window trace)\nStatus: Disabled\nLog level: 1\nFrames: 0")


def _logging(process: Process) -> None:
    process.line("WINDOW MANAGER LOGGING (dumpsys window logging)\nProtoLog status: Disabled")


def _refresh_rates(process: Process) -> None:
    head = "WINDOW MANAGER HIGH REFRESH RATE BLACKLIST (dumpsys window refresh)"
    process.line(f"{head}\nHigh Refresh Rate Denylist\n  Packages:")


def _constants(process: Process) -> None:
    process.line(
        "WINDOW MANAGER CONSTANTS (dumpsys window constants):\n"
        "  system_gesture_exclusion_log_debounce_millis=0\n  system_gesture_exclusion_limit_dp=200\n"
        "  system_gestures_excluded_by_pre_q_sticky_immersive=false"
    )


_SECTIONS: dict[str, Callable[[Process], None]] = {
    **dict.fromkeys(("lastanr", "l"), _last_anr),
    **dict.fromkeys(("policy", "p"), dump_policy),
    **dict.fromkeys(("animator", "a"), _animator),
    **dict.fromkeys(("sessions", "s"), _sessions),
    **dict.fromkeys(("displays", "d"), dump_displays),
    **dict.fromkeys(("tokens", "t"), _tokens),
    **dict.fromkeys(("windows", "w", "all"), dump_windows),
    "trace": _trace,
    "logging": _logging,
    "refresh": _refresh_rates,
    "constants": _constants,
}
