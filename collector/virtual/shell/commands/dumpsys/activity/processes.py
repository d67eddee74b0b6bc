"""``dumpsys activity processes``, ``oom`` and ``lru``: what runs, and in which order Android ends it."""

from __future__ import annotations

from collections.abc import Iterator

from collector.virtual.android_versions import ANDROID_9, ANDROID_11, ANDROID_12
from collector.virtual.shell.commands.dumpsys.window.configuration import configuration
from collector.virtual.shell.commands.dumpsys.window.records import hash_code, truth, user_of
from collector.virtual.shell.kernel_files.memory_usage import process_memory
from collector.virtual.shell.proc import ProcessRow, process_rows
from collector.virtual.shell.process import Process
from collector.virtual.shell.system_processes import ZYGOTE
from collector.virtual.system.phone import Phone
from collector.virtual.system.phone_state.input_log import window_token

_SYSTEM = "system_server"
_LEVELS: tuple[tuple[int, str, int, str], ...] = (
    (-900, "sys  ", 0, "PER "),
    (-800, "pers ", 0, "PER "),
    (0, "fg   ", 2, "TOP "),
    (100, "vis  ", 6, "IMPF"),
    (600, "home ", 14, "HOME"),
    (700, "prev ", 15, "LAST"),
    (900, "cch  ", 16, "CAC "),
)
"""By lowest ``oom_score_adj``: the name of the group, the process state's number, and its name."""


def app_rows(process: Process) -> list[ProcessRow]:
    """The processes that the activity manager knows: those of the zygote, the most important first."""
    rows = process_rows(process.machine.phone, process.machine.processes)
    known = [row for row in rows if row.parent == ZYGOTE]
    return sorted(known, key=lambda row: (row.adjustment, row.pid))


def record_of(row: ProcessRow) -> str:
    """``ProcessRecord{1a2b3c4 4285:com.example/u0a124}``."""
    return (
        f"ProcessRecord{{{window_token(f'process {_name(row)}')} {row.pid}:{_name(row)}/{user_of(row.uid)}}}"
    )


def _name(row: ProcessRow) -> str:
    return "system" if row.name == _SYSTEM else row.name


def _level(row: ProcessRow) -> tuple[int, str, int, str]:
    return next(level for level in reversed(_LEVELS) if row.adjustment >= level[0])


def dump_processes(process: Process, words: list[str]) -> None:
    """All known processes, or those of a package."""
    phone = process.machine.phone
    rows = app_rows(process)
    chosen = [row for row in rows if not words or words[0] in (row.package, row.name)]
    process.line("ACTIVITY MANAGER RUNNING PROCESSES (dumpsys activity processes)")
    if chosen:
        process.line("  All known processes:")
    for row in chosen:
        kind = "*PERS*" if row.adjustment < 0 else "*APP*"
        process.line(f"  {kind} UID {row.uid} {record_of(row)}")
        process.out("".join(f"    {line}\n" for line in _described(phone, row)))
    if words:
        return
    users = sorted({row.uid: row for row in rows}.items())
    process.line("\n  UID states:")
    for uid, row in users:
        process.line(
            f"    UID {uid if uid < 10_000 else user_of(uid)}: UidRecord{{{window_token(f'uid {uid}')} "
            f"{user_of(uid)} {_level(row)[3].strip()} procs:{sum(other.uid == uid for other in rows)} "
            "seq(0,0,0)}"
        )
    process.line()
    _print_order(process, rows)
    process.line("\n  PID mappings:")
    for row in sorted(rows, key=lambda row: row.pid):
        process.line(f"    PID #{row.pid}: {record_of(row)}")
    process.out("".join(f"{line}\n" for line in _state(phone, rows)))


def _described(phone: Phone, row: ProcessRow) -> Iterator[str]:
    level, uptime = _level(row), phone.clock.uptime_ns
    package = row.package or ("android" if row.name == _SYSTEM else row.name)
    info = next((info for info in phone.packages if info.package == package), None)
    apk = info.apk if info is not None else "/system/framework/framework-res.apk"
    memory = process_memory(phone, row).pss // 1024
    started = (uptime - row.started_ns) // 1_000_000
    cached, adjustment = row.adjustment >= 900, row.adjustment
    own = f"50{row.uid % 10_000}, 20{row.uid % 10_000}" if row.uid >= 10_000 else str(row.uid)
    yield f"user #0 uid={row.uid} gids={{{own}, 9997, 3003}}"
    yield "requiredAbi=arm64-v8a instructionSet=arm64"
    yield f"dir={apk} publicDir={apk} data=/data/user/0/{package}"
    yield f"packageList={{{package}}}"
    yield f"compat={{{phone.density}dpi}}"
    yield f"thread=android.app.IApplicationThread$Stub$Proxy@{hash_code(f'thread {row.name}')}"
    yield f"pid={row.pid} starting=false"
    yield f"lastActivityTime=-{elapsed(started)} lastPssTime=-{elapsed(started)} pssStatType=0 nextPssTime=0"
    yield f"lastPss={memory}MB lastSwapPss=0.00 lastCachedPss=0.00 lastCachedSwapPss=0.00"
    yield "adjSeq=1 lruSeq=0"
    yield f"cached={truth(cached)} empty={truth(cached)}"
    yield (
        f"oom: max={-800 if adjustment < 0 else 1001} curRaw={adjustment} "
        f"setRaw={adjustment} cur={adjustment} set={adjustment}"
    )
    foreground = 2 if adjustment <= 0 else 0
    yield (
        f"curSchedGroup={foreground} setSchedGroup={foreground} "
        f"systemNoUi={truth(adjustment < 0)} trimMemoryLevel=0"
    )
    yield (
        f"curProcState={level[2]} mRepProcState={level[2]} setProcState={level[2]} "
        f"lastStateTime=-{elapsed(started)}"
    )
    if adjustment < 0:
        yield "persistent=true removed=false"
    if phone.services.processes.stopped(row.package):
        yield "mNotResponding=true" if phone.profile.sdk >= ANDROID_11 else "notResponding=true"
    activities = [
        (task, record)
        for task in phone.services.tasks.tasks()
        for record in task.records
        if record.component.package == row.package and row.package
    ]
    if activities:
        yield "Activities:"
        for task, record in activities:
            yield f"  - ActivityRecord{{{record.token} u0 {record.component.short} t{task.number}}}"


def elapsed(milliseconds: int) -> str:
    """A duration as ``TimeUtils.formatDuration`` prints it: ``1m2s345ms``."""
    if milliseconds <= 0:
        return "0"
    seconds, rest = divmod(milliseconds, 1000)
    parts: list[str] = []
    for unit, size in (("d", 86_400), ("h", 3600), ("m", 60), ("s", 1)):
        count, seconds = divmod(seconds, size)
        if count or parts:
            parts.append(f"{count}{unit}")
    return "".join(parts) + f"{rest}ms"


def _print_order(process: Process, rows: list[ProcessRow]) -> None:
    phone = process.machine.phone
    process.line(
        f"  Process {'LRU list' if phone.profile.sdk < ANDROID_12 else 'OOM control'} "
        f"({len(rows)} total, non-act at 0, non-svc at 0):"
    )
    front = phone.stack()
    for place, row in enumerate(rows):
        level = _level(row)
        group = "T" if row.adjustment <= 0 and row.package else "F" if row.adjustment < 100 else "B"
        shown = "A" if front and front[0].component.package == row.package else " "
        reason = "(top-activity)" if shown == "A" else "(fixed)" if row.adjustment < 0 else "(cch-act)"
        kind = "PERS" if row.adjustment < 0 else "Proc"
        process.line(
            f"    {kind} #{len(rows) - 1 - place:>2}: {level[1]} {group}/{shown}/{level[3]} trm: 0 "
            f"{row.pid}:{_name(row)}/{user_of(row.uid)} {reason}"
        )


def _state(phone: Phone, rows: list[ProcessRow]) -> Iterator[str]:
    home = next((row for row in rows if row.adjustment == 600), None)
    previous = next((row for row in rows if row.adjustment == 700), None)
    front = phone.stack()
    if front and front[0].activity.home:
        home = next((row for row in rows if row.package == front[0].component.package), home)
    yield ""
    yield "  mStartedUsers:"
    yield "    User #0: state=RUNNING_UNLOCKED"
    yield "  mStartedUserArray: [0]"
    yield "  mUserLru: [0]"
    yield f"  mHomeProcess: {record_of(home) if home is not None else 'null'}"
    yield f"  mPreviousProcess: {record_of(previous) if previous is not None else 'null'}"
    yield f"  mGlobalConfiguration: {configuration(phone)}"
    yield "  mConfigWillChange: false"
    yield f"  mWakefulness={'Awake' if phone.awake else 'Asleep'}"
    yield "  mSleepTokens=[]"
    yield f"  mSleeping={truth(not phone.awake)}"
    yield "  mShuttingDown=false mTestPssMode=false"
    yield f"  Total persistent processes: {sum(row.adjustment < 0 for row in rows)}"
    yield "  mProcessesReady=true mSystemReady=true mBooted=true mFactoryTest=0"
    yield "  mBooting=false mCallFinishBooting=false mBootAnimationComplete=true"
    if phone.profile.sdk >= ANDROID_9:
        yield f"  mNumNonCachedProcs={sum(row.adjustment < 900 for row in rows)} ({len(rows)} total)"


def dump_order(process: Process, words: list[str]) -> None:
    """``oom``: the processes from the last to the first that Android would end."""
    del words
    process.line("ACTIVITY MANAGER RUNNING PROCESSES (dumpsys activity oom)")
    rows = app_rows(process)
    _print_order(process, rows)
    _print_ends(process, rows)


def dump_recent_order(process: Process, words: list[str]) -> None:
    """``lru``: the processes from the one used last."""
    del words
    process.line("ACTIVITY MANAGER LRU PROCESSES (dumpsys activity lru)")
    rows = app_rows(process)
    process.line("  Activities:")
    for place, row in enumerate(rows):
        level = _level(row)
        process.line(
            f"    #{len(rows) - 1 - place:>2}: {level[1]} {level[3]} "
            f"{row.pid}:{_name(row)}/{user_of(row.uid)}"
        )


def _print_ends(process: Process, rows: list[ProcessRow]) -> None:
    for key, adjustment in (("mHomeProcess", 600), ("mPreviousProcess", 700)):
        row = next((row for row in rows if row.adjustment == adjustment), None)
        process.line(f"  {key}: {record_of(row) if row is not None else 'null'}")
