"""The figures of the guide are those of the program: each quotation is built from the constant it names."""

from __future__ import annotations

import inspect
import re
from pathlib import Path

import pytest

from collector.anomalies import native
from collector.device.health import doctor
from collector.device.transport import address
from collector.device.trees import tree_reader
from collector.device.video import frame_supervisor
from collector.hierarchy import finger_captions, selector_ranking
from collector.judge import replay_verdict
from collector.model.task import Task
from collector.recorder import gestures, step_builder
from collector.recorder.settle import SettleDetector
from collector.recorder.typing import typing_run
from collector.replay import recovery, replay_options
from collector.store.catalogue import catalogue_scan
from collector.store.files import disk_reserve
from collector.virtual.system import notices, processes
from collector.virtual.system.phone_state.profile import PhoneProfile
from studio.bridge.anomalies import rehearsal
from studio.settings.table import SETTINGS
from tests.helpers.scripts import ROOT

HALVES = {0.5: "half a"}
TENTHS = {0.1: "a tenth", 0.7: "seven tenths"}
NUMBERS = {2: "twice", 3: "three", 4: "four", 5: "five"}


def default(function: object, name: str) -> float:
    """The default of a parameter."""
    return float(inspect.signature(function).parameters[name].default)  # type: ignore[arg-type]


def setting(key: str) -> float:
    """The default of a setting."""
    return float(next(row.default for row in SETTINGS if row.key == key))


DOUBLE_TAP = gestures.DOUBLE_TAP_MS
QUOTATIONS = {
    "recording.md": [
        f"{gestures.SLOP_DP} dp is the platform's touch slop",
        f"lifted within {gestures.SLOP_DP} dp of where it came down",
        f"(its own setting, at least {default(gestures.GestureClassifier, 'long_press_ms'):.0f} ms)",
        f"two taps, {DOUBLE_TAP[0]} to {DOUBLE_TAP[1]} ms and at most {gestures.DOUBLE_TAP_DP} dp apart",
        f"two fingers pinch when their distance changes by {TENTHS[finger_captions.SCALE_CHANGE]} or more",
        f"A tap waits {DOUBLE_TAP[1]} ms for a second one",
        f"The step ends after {typing_run.PAUSE_NS / 1e9:g} s without a key",
        f"for {setting('recording.settle-ms') / 1000:g} s (the setting *Settle time*)",
        f"or after {default(SettleDetector, 'cap_ms') / 1000:g} s when it never settles",
        f"(`--wait`, {replay_options.PATIENCE_S:g} s)",
        f"and {TENTHS[replay_verdict.ENOUGH]} of its words",
    ],
    "devices.md": [
        f"the port may be left out: {address.DEFAULT_PORT}",
        f"less than {doctor.LITTLE_STORAGE_KB // 1024} MB are free",
        f"changed and then rested for {tree_reader.QUIET_MS / 1000:g} seconds",
        f"the tree is read again, at most {NUMBERS[tree_reader.TRIES - 1]}",
        f"read once more after {HALVES[tree_reader.OPAQUE_WAIT]} second",
        f"tried again after {NUMBERS[round(frame_supervisor.RESTS[0])]} seconds, then less and less often",
        f"uiautomator2 is tried again after {HALVES[tree_reader.RESTS[0] / 60]} minute, then less",
    ],
    "anomalies.md": [
        f"A follow-up that does not end within {native.TIMEOUT_S:.0f} seconds is reported as failed",
        f"BACK up to {NUMBERS[recovery.MOST_BACKS]} times",
        f"after {NUMBERS[recovery.MOST_WAYS]} such returns it stops",
    ],
    "formats.md": [
        f"reserves {disk_reserve.RESERVE_BYTES >> 20} MB of the disk",
        f"In a project of more than {catalogue_scan.SMALL:,} trajectories",
        f"of the newest {catalogue_scan.NEWEST:,} and of {catalogue_scan.SLICE:,} others in turn",
        f"how many golden trajectories the task needs; {Task('a', 'A').golden_wanted} by default",
    ],
    "rules.md": [f"The newest {rehearsal.MOST_MOMENTS} states are kept"],
    "selectors.md": [
        f"Steps keep the best {NUMBERS[step_builder.SELECTORS]} for the target node",
        "55 points when it matches only one node",
        f"up to {selector_ranking.MOST_STABILITY} for stability",
        "up to 13 for being short enough to read",
    ],
    "virtual-phone.md": [
        f"waits for it longer than {PhoneProfile().input_timeout:g} s",
        {120.0: "*keeps stopping* for another crash within two minutes"}[processes.REPEAT_SECONDS],
        f"comes down from the top for {notices.HEADS_UP_SECONDS:g} s",
    ],
}  # fmt: skip
"""Sentences of each page, with the figures of the program put in."""


def prose(page: Path) -> str:
    """The text of a page in one line."""
    return re.sub(r"\s+", " ", page.read_text(encoding="utf-8"))


@pytest.mark.parametrize("page", QUOTATIONS)
def test_a_page_has_the_figures_of_the_program(page: str) -> None:
    text = prose(ROOT / "docs" / "guide" / page)
    assert [sentence for sentence in QUOTATIONS[page] if sentence not in text] == []
