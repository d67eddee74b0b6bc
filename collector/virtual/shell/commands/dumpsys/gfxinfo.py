"""``dumpsys gfxinfo`` and the frame times of SurfaceFlinger."""

from __future__ import annotations

import itertools

from collector.virtual.android_versions import ANDROID_9, ANDROID_12
from collector.virtual.shell.process import Process
from collector.virtual.system.phone_state.frame_stats import FRAME_NS, AppFrames, DrawnFrame

_BUCKETS: tuple[int, ...] = (*range(5, 32), *range(32, 50, 2), *range(53, 134, 4), 150, *range(200, 4951, 50))
_GPU_BUCKETS = (*range(1, 26), 4950)
_NEVER, _UNDECIDED = 0, 9223372036854775807
_COLUMNS = (
    "Flags,FrameTimelineVsyncId,IntendedVsync,Vsync,InputEventId,HandleInputStart,AnimationStart,"
    "PerformTraversalsStart,DrawStart,FrameDeadline,FrameStartTime,FrameInterval,WorkloadTarget,SyncQueued,"
    "SyncStart,IssueDrawCommandsStart,SwapBuffers,FrameCompleted,DequeueBufferDuration,QueueBufferDuration,"
    "GpuCompleted,SwapBuffersCompleted,DisplayPresentTime,CommandSubmissionCompleted,"
)
_OLD_COLUMNS = (
    "Flags,IntendedVsync,Vsync,OldestInputEvent,NewestInputEvent,HandleInputStart,AnimationStart,"
    "PerformTraversalsStart,DrawStart,SyncQueued,SyncStart,IssueDrawCommandsStart,SwapBuffers,FrameCompleted,"
    "DequeueBufferDuration,QueueBufferDuration,GpuCompleted,"
)


def dump_gfxinfo(process: Process, words: list[str]) -> int:
    """``[PACKAGE] [reset|framestats]``: the frames of one app, or of all that run."""
    phone = process.machine.phone
    verbs = {"reset", "framestats"} & set(words)
    named = [word for word in words if not word.startswith("-") and word not in verbs]
    running = {row.package: phone.pid_of(row.package) for row in phone.packages}
    packages = [name for name, pid in running.items() if pid and (not named or named[0] in (name, str(pid)))]
    if not packages:
        process.line(f"No process found for: {named[0] if named else ''}")
        return 0
    uptime = phone.clock.uptime_ns // 1_000_000
    process.out(f"Applications Graphics Acceleration Info:\nUptime: {uptime} Realtime: {uptime}\n\n")
    for package in packages:
        process.line(f"** Graphics info for pid {running[package]} [{package}] **\n")
        frames = phone.services.graphics.frames(package)
        _print_statistics(process, frames)
        _print_windows(process, package, frames, every_frame="framestats" in verbs)
        if "reset" in verbs:
            phone.services.graphics.reset(package)
    return 0


def _print_statistics(process: Process, frames: AppFrames) -> None:
    sdk = process.machine.phone.profile.sdk
    late = sum(count for ms, count in frames.histogram.items() if ms * 1_000_000 > FRAME_NS)
    share = 100 * late / frames.total if frames.total else 0.0
    process.out(
        f"Stats since: {frames.since_ns}ns\nTotal frames rendered: {frames.total}\n"
        f"Janky frames: {late} ({share:.2f}%)\n"
    )
    if sdk >= ANDROID_12:
        process.line(f"Janky frames (legacy): {late} ({share:.2f}%)")
    for percent in (50, 90, 95, 99):
        process.line(f"{percent}th percentile: {_percentile(frames, percent)}ms")
    process.out(
        f"Number Missed Vsync: {late}\nNumber High input latency: 0\nNumber Slow UI thread: {late}\n"
        "Number Slow bitmap uploads: 0\nNumber Slow issue draw commands: 0\n"
        f"Number Frame deadline missed: {late}\n"
    )
    if sdk >= ANDROID_12:
        process.line(f"Number Frame deadline missed (legacy): {late}")
    process.line("HISTOGRAM: " + " ".join(f"{ms}ms={count}" for ms, count in _bucketed(frames).items()))
    if sdk >= ANDROID_9:
        gpu = dict.fromkeys(_GPU_BUCKETS, 0) | {2: frames.total}
        for percent in (50, 90, 95, 99):
            process.line(f"{percent}th gpu percentile: {2 if frames.total else _GPU_BUCKETS[-1]}ms")
        process.line("GPU HISTOGRAM: " + " ".join(f"{ms}ms={count}" for ms, count in gpu.items()))


def _bucketed(frames: AppFrames) -> dict[int, int]:
    """Frames by duration; each bucket holds what is longer than the one before."""
    counts = dict.fromkeys(_BUCKETS, 0)
    for milliseconds, count in frames.histogram.items():
        bucket = max((bucket for bucket in _BUCKETS if bucket <= milliseconds), default=_BUCKETS[0])
        counts[bucket] += count
    return counts


def _percentile(frames: AppFrames, percent: int) -> int:
    """The smallest bucket that holds this share of the frames; the last one when there are none."""
    if not frames.total:
        return _BUCKETS[-1]
    buckets = _bucketed(frames)
    for bucket, reached in zip(buckets, itertools.accumulate(buckets.values()), strict=True):
        if 100 * reached >= percent * frames.total:
            return bucket
    return _BUCKETS[-1]


def _print_windows(process: Process, package: str, frames: AppFrames, *, every_frame: bool) -> None:
    phone = process.machine.phone
    records = [record for record in phone.stack() if record.component.package == package]
    pipeline = "Skia (OpenGL)" if phone.profile.sdk >= ANDROID_9 else "OpenGL"
    process.out(
        f"Pipeline={pipeline}\n\nMemory policy:\n  Max surface area: {phone.size.width * phone.size.height}\n"
        "  Max resource usage: 23.04MB (x5.0)\n  Background retention: 50%\n\n"
        "CPU Caches:\n  Glyph Cache: 142.80 KB (1 entry)\n  Glyph Count: 61 \nTotal CPU memory usage:\n"
        "  146225 bytes, 142.80 KB (0.00 bytes is purgeable)\n"
        "GPU Caches:\n  Other:\n    Buffer Object: 66.00 KB (2 entries)\nTotal GPU memory usage:\n"
        "  67584 bytes, 66.00 KB (66.00 KB is purgeable)\n\n\n"
    )
    front = bool(phone.stack()) and phone.stack()[0].component.package == package
    title = f"{records[0].component.short}/android.view.ViewRootImpl@{records[0].token}" if records else ""
    if every_frame:
        if records:
            process.line(f"Window: {title.rpartition('/')[0]}")
        _print_profile(process, frames)
    elif records:
        process.out(f"Profile data in ms:\n\n\t{title} (visibility={0 if front else 8})\n")
        if front and phone.settings.get("global", "debug.hwui.profile"):
            process.line("\tDraw\tPrepare\tProcess\tExecute")
    views = phone.hierarchy_xml().count(b"<node") if front else 24 * len(records)
    process.out("View hierarchy:\n\n")
    if records:
        process.line(f"  {title}\n  {views} views, {views * 2.1:.2f} kB of render nodes\n")
    process.out(
        f"\nTotal ViewRootImpl   : {len(records)}\nTotal attached Views : {views}\n"
        f"Total RenderNode     : {views * 2.1:.2f} kB (used) / {views * 4.4:.2f} kB (capacity)\n\n"
    )


def _print_profile(process: Process, frames: AppFrames) -> None:
    """The times of the last frames; each row is one frame."""
    is_old = process.machine.phone.profile.sdk < ANDROID_12
    process.line(f"---PROFILEDATA---\n{_OLD_COLUMNS if is_old else _COLUMNS}")
    for number, frame in enumerate(frames.recent):
        values = _old_times(frame) if is_old else _times(frame, frames.drawn - len(frames.recent) + number)
        process.line(",".join(map(str, values)) + ",")
    process.line("---PROFILEDATA---\n")


def _times(frame: DrawnFrame, number: int) -> list[int]:
    start, length = frame.vsync_ns, frame.duration_ns
    end = start + length
    return [
        0, 1000 + 7 * number, start, start, 0, start + length // 20, start + length // 15,
        start + length // 10, start + length // 4, start + FRAME_NS, start + length // 25, FRAME_NS, FRAME_NS,
        start + length // 2, start + length * 11 // 20, start + length * 6 // 10, start + length * 9 // 10,
        end, 120_000, 210_000, end - length // 50, end - length // 60, 0, end - length // 30,
    ]  # fmt: skip


def _old_times(frame: DrawnFrame) -> list[int]:
    start, length = frame.vsync_ns, frame.duration_ns
    return [
        0, start, start, _UNDECIDED, _NEVER, start + length // 20, start + length // 15, start + length // 10,
        start + length // 4, start + length // 2, start + length * 11 // 20, start + length * 6 // 10,
        start + length * 9 // 10, start + length, 120_000, 210_000, start + length - length // 50,
    ]  # fmt: skip


def print_latency(process: Process, words: list[str]) -> None:
    """``dumpsys SurfaceFlinger --latency WINDOW``: the refresh period, then three times of each frame."""
    phone = process.machine.phone
    process.line(str(FRAME_NS))
    title = " ".join(words).partition("#")[0].removeprefix("SurfaceView - ")
    package = title.rpartition(" ")[2].partition("/")[0]
    frames = phone.services.graphics.frames(package).recent if package else ()
    for frame in frames:
        ready = frame.vsync_ns + frame.duration_ns
        shown = ready + FRAME_NS - ready % FRAME_NS
        process.line(f"{frame.vsync_ns}\t{shown}\t{ready}")
    process.line()
