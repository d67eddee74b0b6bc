"""The faults that Waymark is built for, and the page of the tests that cause them.

A test that causes a fault carries its number: ``@pytest.mark.fault("F9")``. ``make reliability`` runs these
tests and writes ``docs/reliability.md`` from their results.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

import pytest

from tests.helpers.machine import measured_machine

FAULTS: Mapping[str, tuple[str, str]] = {
    "F1": (
        "The phone is unplugged while a person records",
        "The recording pauses, keeps every committed step, and goes on when the phone is back",
    ),
    "F2": (
        "The cable flaps",
        "The session goes on; half an answer is never taken for a whole",
    ),
    "F3": (
        "The adb server is killed",
        "It is started again once, and the phone's address is connected again",
    ),
    "F4": (
        "The phone is offline",
        "The state is said, every call ends in its time, and the phone comes back",
    ),
    "F5": (
        "The phone is unauthorized",
        "The sentence names the phone's question; then the phone is used",
    ),
    "F6": (
        "adb is missing or another program has its port",
        "It is said how to get adb, or what answers",
    ),
    "F7": (
        "scrcpy's server crashes, has another version, or may not inject",
        "Another source of pictures takes over with the server's own words, and scrcpy is tried again later",
    ),
    "F8": ("The link is half open and says nothing", "The silence is noticed by a ping and a time limit"),
    "F9": (
        "The disk is full",
        "Nothing is half written or lost; the writer goes on once there is room",
    ),
    "F10": (
        "The power fails in the middle of a write",
        "Every committed step is there after any part of the writes",
    ),
    "F11": ("A folder is damaged", "It opens, each damage is named, and the good steps stay usable"),
    "F12": (
        "Two programs use one phone",
        "The second is told who has it; one at a time changes the phone",
    ),
    "F13": ("Two programs edit one project", "One writes at a time; a lock of a killed program is nobody's"),
    "F14": (
        "A trajectory has 10,000 steps",
        "Opening it reads no picture and no tree, so that memory does not grow with them",
    ),
    "F15": ("The computer's clock jumps", "Durations and order come from a clock that does not jump"),
    "F16": ("The phone's clock jumps", "What was recorded keeps its order and times"),
    "F17": (
        "The screen turns in the middle of a gesture",
        "The gesture is cancelled; no touch is sent with the old size",
    ),
    "F18": ("The video cannot be decoded", "Damaged pictures are counted, and the next key frame is shown"),
    "F19": (
        "The UI tree hangs, is broken or is too large",
        "It is waited for, repaired, or refused with a reason",
    ),
    "F20": ("A screenshot is cut or black", "It is an error in plain words, never a stored screen"),
    "F21": ("An archive leads outside of its folder", "It is refused, and nothing is written outside"),
    "F22": (
        "XML with entities or without an end",
        "Entities are never expanded; reading ends in bounded time",
    ),
    "F23": (
        "YAML with tags, aliases or without a bottom",
        "Tags make no objects; depth and count of values have limits",
    ),
    "F24": (
        "Pickles in what is imported",
        "Only the classes that a format needs are read; any other is refused by name",
    ),
    "F25": ("Pictures and archives that unpack to gigabytes", "They are refused before they are decoded"),
    "F26": (
        "Cells that a spreadsheet takes for formulas",
        "They are written so that no program computes them",
    ),
    "F27": ("Markup and control characters in names and texts", "They are shown as the text that they are"),
    "F28": ("Shell commands in names and texts", "A phone's shell gets them as words"),
    "F29": (
        "An agent or an endpoint that lies, floods or hangs",
        "Size, time and values have limits; a fault has a reason",
    ),
    "F30": (
        "Others reach for our own sockets",
        "They listen on the loopback address alone, and ask for a token",
    ),
    "F31": (
        "A phone or an adb server that talks nonsense",
        "Every call ends in its time with an answer or a sentence",
    ),
    "F32": (
        "The window is closed or ended while it saves",
        "What was done is on the disk; what was open is recovered",
    ),
    "F33": (
        "The GPU is lost, the scale of the screen changes",
        "All is painted without a GPU; the scale changes live",
    ),
    "F34": (
        "An anomaly is left active",
        "The undo is written before the change, and done at the next connection",
    ),
    "F35": (
        "Passwords in what is recorded",
        "They are hidden before they reach the disk, and can be removed later",
    ),
    "F36": (
        "Files held by others, folders that cannot be written, names of any script",
        "A file that is held for a moment is tried again; a read-only project opens and says so",
    ),
}
"""Number: what happens, and what Waymark does then."""
_HEAD = """# Reliability

What goes wrong while people record, run, judge and exchange, what Waymark does then, and the tests that
cause it. Each test carries the number of its faults; `make test` runs all of them. This page is written by
`make reliability` from the results of its run; a test compares it with the tests that are there.

"""
_FOOT = """
## The soak

Two windows with a person each, two phones and a run of an experiment work for half an hour while faults
happen at random. At the end every recording is read again, and nothing may be left behind. `make soak` plays
it; `make measurements` keeps its result here.

<!-- generated:soak -->
<!-- end:soak -->
"""


@dataclass(eq=False)
class FaultResults:
    """Plug-in of pytest: writes the outcomes of the tests of each fault to a page."""

    target: Path
    cases: dict[str, list[str]] = field(default_factory=lambda: {number: [] for number in FAULTS})
    """Number of a fault: ids of the tests that cause it, a case each."""
    outcomes: dict[str, str] = field(default_factory=dict)
    """Id of a test that ran: passed, failed or skipped."""

    def pytest_collection_finish(self, session: pytest.Session) -> None:
        for item in session.items:
            for number in numbers_of(item):
                self.cases[number].append(item.nodeid)

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        """A case counts by its call; by its set-up or its end when that failed or skipped it."""
        if report.when == "call" or report.outcome != "passed":
            self.outcomes[report.nodeid] = report.outcome

    def pytest_sessionfinish(self) -> None:
        if self.outcomes:
            self.target.write_text(self.page(), encoding="utf-8")

    def page(self) -> str:
        """The page, in Markdown."""
        rows = [
            f"| {number} | {fault} | {answer} | {self._tests(number)} | {self._counts(number)} |"
            for number, (fault, answer) in FAULTS.items()
        ]
        table = ["| | Fault | What Waymark does | Tests | Cases |", "|---|---|---|---|---|", *rows]
        return _HEAD + measured_machine() + ".\n\n" + "\n".join(table) + "\n" + _FOOT

    def _tests(self, number: str) -> str:
        names = dict.fromkeys(nodeid.partition("[")[0] for nodeid in sorted(self.cases[number]))
        return "<br>".join(map(_linked, names))

    def _counts(self, number: str) -> str:
        counts = Counter(self.outcomes.get(nodeid, "not run") for nodeid in self.cases[number])
        return ", ".join(f"{count} {outcome}" for outcome, count in sorted(counts.items()))


def numbers_of(item: pytest.Item) -> tuple[str, ...]:
    """The faults that a test causes."""
    return tuple(number for mark in item.iter_markers("fault") for number in mark.args)


def _linked(test: str) -> str:
    path, _separator, name = test.partition("::")
    words = name.rpartition("::")[2].removeprefix("test_").replace("_", " ")
    return f"[{words}](../{path})"
