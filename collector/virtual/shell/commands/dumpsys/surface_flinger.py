"""``dumpsys SurfaceFlinger``: displays, layers and the frames of a window."""

from __future__ import annotations

from collections.abc import Iterator

from collector.virtual.android_versions import ANDROID_8, ANDROID_12, ANDROID_15
from collector.virtual.shell.commands.dumpsys.gfxinfo import print_latency
from collector.virtual.shell.commands.dumpsys.input_state import PHYSICAL_DISPLAY
from collector.virtual.shell.commands.dumpsys.window.records import record_name
from collector.virtual.shell.commands.dumpsys.window.shown_windows import WindowRow, window_rows
from collector.virtual.shell.process import Process
from collector.virtual.system.phone import Phone
from collector.virtual.system.phone_state.input_log import window_token


def dump_surface_flinger(process: Process, words: list[str]) -> int:
    """The whole state, or the part that an option names."""
    phone = process.machine.phone
    if "--display-id" in words:
        process.line(f'Display {PHYSICAL_DISPLAY} (HWC display 0): port=0 pnpId=WMK displayName="Built-in"')
        if "several-displays" in phone.profile.quirks:
            process.line(
                f'Display {PHYSICAL_DISPLAY + 1} (HWC display 1): port=1 pnpId=WMK displayName="Outer"'
            )
    elif "--latency" in words:
        print_latency(process, words[words.index("--latency") + 1 :])
    elif "--latency-clear" in words:
        for package in phone.packages:
            phone.services.graphics.reset(package.package)
    elif "--list" in words:
        process.out("".join(f"{line}\n" for line in _listed(phone)))
    else:
        process.out(
            "Build configuration: [sf PRESENT_TIME_OFFSET=0 FORCE_HWC_FOR_RBG_TO_YUV=0]\n\n"
            f"Display {PHYSICAL_DISPLAY} (active) HWC layers:\n"
            + "".join(f"  {buffer_name(phone, row)}\n" for row in window_rows(phone) if row.visible)
            + f"\nSurfaceFlinger global state:\n  display size {phone.size}\n"
            "GLES: Waymark, Waymark Software Renderer, OpenGL ES 3.0\n"
            "  refresh-rate              : 60.000000 Hz\n"
            f"  x-dpi                     : {phone.profile.density}.000000\n"
            f"  y-dpi                     : {phone.profile.density}.000000\n"
        )
    return 0


def buffer_name(phone: Phone, row: WindowRow) -> str:
    """The layer that holds a window's pixels: ``com.example/com.example.Main#0``; Android 12 and later count
    all layers."""
    if phone.profile.sdk < ANDROID_12:
        return f"{row.title}#0"
    return f"{row.title}#{_number(row) + 1}"


def _number(row: WindowRow) -> int:
    """The number of a window's container; equal windows keep theirs."""
    return 2 * (int(window_token(row.title), 16) % 400) + 60


def _listed(phone: Phone) -> Iterator[str]:
    """Every layer by name, from the lowest to the one in front, as the Android version lists them."""
    rows = [row for row in reversed(window_rows(phone)) if row.visible]
    for row in rows:
        if phone.profile.sdk >= ANDROID_15:
            parent = _number(row)
            yield f"RequestedLayerState{{{_container(phone, row)}#{parent} parentId=12}}"
            yield f"RequestedLayerState{{{buffer_name(phone, row)} parentId={parent}}}"
        elif phone.profile.sdk >= ANDROID_12:
            yield f"{_container(phone, row)}#{_number(row)}"
            yield buffer_name(phone, row)
        elif phone.profile.sdk >= ANDROID_8:
            if row.record is not None:
                yield f"{_activity(phone, row)}#0"
            yield f"{window_token(row.title)} {row.title}#0"
            yield buffer_name(phone, row)
        else:
            yield row.title


def _activity(phone: Phone, row: WindowRow) -> str:
    return record_name(row.record, row.task, phone.profile.sdk) if row.record is not None else row.title


def _container(phone: Phone, row: WindowRow) -> str:
    """The layer around a window: ``1a2b3c4 com.example/com.example.Main``."""
    del phone
    return f"{window_token(row.title)} {row.title}"
