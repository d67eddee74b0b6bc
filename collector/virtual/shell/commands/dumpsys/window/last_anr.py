"""The app that did not respond last, as the services of activities and windows tell it."""

from __future__ import annotations

from collector.virtual.shell.process import Process


def anr_lines(process: Process) -> list[str]:
    """When, which app and why; one line while every app has responded."""
    last = process.machine.phone.services.processes.last_anr
    if last is None:
        return ["<no ANR has occurred since boot>"]
    at = last.at
    return [
        f"ANR time: {at:%b} {at.day}, {at:%Y %I:%M:%S %p}",
        f"Application at fault: {last.where or last.package}",
        f"Reason: {last.reason}",
    ]
