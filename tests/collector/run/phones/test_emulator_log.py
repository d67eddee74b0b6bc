"""Why an emulator ended, in its own words, and what to do about it."""

from __future__ import annotations

from pathlib import Path

import pytest

from collector.run.phones.emulator_log import EmulatorReport, read_report
from tests.helpers import emulator_messages as said

UNKNOWN = "Start it once in Android Studio to see what it lacks"


@pytest.mark.parametrize(
    ("text", "why", "to_do"),
    [
        (said.NO_IMAGE, "PANIC: Broken AVD system path. Check", "Install the system image"),
        (
            said.NO_KVM,
            "ERROR | x86_64 emulation currently requires hardware acceleration! CPU acceleration status: "
            "This user doesn't have permissions to use KVM (/dev/kvm).",
            "Switch on virtualization",
        ),
        (said.FULL_DISK, "FATAL | Your device does not have enough disk space", "Free some space"),
        (said.FULL_DISK_BEFORE, "emulator: ERROR: Not enough disk space to run AVD", "Free some space"),
        (
            said.IN_USE,
            "ERROR | Running multiple emulators with the same AVD ERROR | is an",
            "End the emulator",
        ),
        (said.IN_USE_LATER, "ERROR | Another emulator instance is running.", "End the emulator"),
        (said.PENDING, "FATAL | A snapshot operation for 'Pixel' is pending", "End the emulator"),
        (said.NO_PORTS, "ERROR | It seems too many emulator instances", "Close some emulators, or choose"),
        (said.OTHER_CPU, "PANIC: Missing emulator engine program for 'arm64' CPU.", "Create an image for"),
        (said.UNKNOWN_NAME, "ERROR | Unknown AVD name [Pixel]", UNKNOWN),
        (said.OLD, "unknown option: -no-snapshot-save", "Update the emulator"),
        (said.DAMAGED, "qemu-system-x86_64: -drive if=none", "A disk of the image is damaged"),
        (said.NO_SCREEN, "FATAL | This application failed to start", "Leave --window out"),
        (said.NO_MEMORY, "qemu-system-x86_64: cannot set up guest memory", "Start fewer emulators"),
        ("one\ntwo\n\nthree\n", "two three", UNKNOWN),
        ("", "", UNKNOWN),
    ],
)
def test_an_emulator_is_quoted_and_its_messages_are_known(
    tmp_path: Path, text: str, why: str, to_do: str
) -> None:
    log = tmp_path / "emulator.log"
    log.write_text(text, "utf-8")
    report = read_report(log)
    assert report.why.startswith(why)
    assert report.to_do.startswith(to_do)


def test_a_log_of_any_length_and_kind_is_read(tmp_path: Path) -> None:
    log = tmp_path / "emulator.log"
    assert read_report(log) == EmulatorReport("", UNKNOWN)
    log.write_bytes(b"\xff\x1b[0m\n" * 100_000 + b"ERROR | " + b"x" * 5000)
    report = read_report(log)
    assert len(report.why) == 400
    assert report.why.endswith("xxx...")
