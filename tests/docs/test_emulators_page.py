"""The page on emulators and the console of the virtual phone have the same words."""

from __future__ import annotations

import re
from pathlib import Path

from collector.virtual.console.commands.tables import CONSOLE
from collector.virtual.console.emulator import Emulator
from collector.virtual.console.redirections import Redirections
from collector.virtual.console.session import ConsoleSession
from collector.virtual.system.phone import Phone
from tests.helpers.virtual import profile

ROOT = Path(__file__).resolve().parents[2]
PAGE = (ROOT / "docs" / "emulators.md").read_text("utf-8")
CONSOLE_PART = PAGE.partition("## The console")[2].partition("## Sources")[0]
LINES = """
auth|auth x|help x|nope|geo|geo x|avd start|avd stop|avd stop|avd start|avd snapshot save|avd snapshot load x
avd snapshot remap|avd snapshotpath|avd snapshot del|geo fix x|geo fix|geo fix 999 0|geo fix 0 0 0 99|geo nmea
sms send|sms send x hi|sms send 1 \\q|gsm call|gsm call x|gsm hold x|gsm cancel 9|gsm data x|gsm signal 32
gsm signal 1 8|gsm signal-profile 9|cdma ssource x|power ac|network speed x|sensor get x
finger touch|finger touch x|event text|event mouse x|redir add x|redir add tcp:5000:6000|redir add tcp:0:6000
screenrecord start|screenrecord start x|screenrecord stop|qemu monitor|debug|screenrecord start --fps 0 x.webm
screenrecord start --time-limit 0 x.webm|network capture start /nowhere/at/all
"""
"""What provokes each of them; ``x`` stands on the page for anything."""
ELSEWHERE = (
    "unable to read ~/", "Forbidden ", "Device 'cache' is writable", "Snapshot save is disabled",
    "fatal error", "Recording has already",
)  # fmt: skip
"""What a broken token file, a web page, a real disk or a film in progress provokes: other tests do that."""


def test_every_refusal_of_the_page_is_given_as_it_stands_there(tmp_path, monkeypatch):
    monkeypatch.setattr(Redirections, "active", property(lambda _self: {("tcp", 5000): 6000}))
    redirections = Redirections(lambda _address: None)
    phone = Phone(profile("maps"))
    try:
        path = tmp_path / "token"
        path.write_text("x-token", "ascii")
        session = ConsoleSession(Emulator(phone, redirections=redirections), path)
        answers = session.greet()
        lines = [line for row in LINES.split("\n") for line in row.split("|") if line]
        for line in (*lines[:2], "auth x-token", *lines[2:]):
            answers += session.receive(f"{line}\n".encode())
    finally:
        phone.close()
    said = answers.decode()
    refusals = {text.replace("\\|", "|") for text in re.findall(r"`(KO: ?[^`]+)`", CONSOLE_PART)}
    refusals = {text for text in refusals if len(text) > 4 and not text[4:].startswith(ELSEWHERE)}
    assert len(refusals) > 40
    assert sorted(text for text in refusals if text.strip() not in said) == []


def test_the_page_says_of_each_command_whether_the_console_knows_it():
    rows = [line for line in CONSOLE_PART.partition("### Commands")[2].splitlines() if line.startswith("| ")][
        1:
    ]
    cells = [row.split(" | ")[0] for row in rows]
    names = {name for command in CONSOLE for name in command.names.split("|")}
    plain = {words.split()[0] for cell in cells for words in re.findall(r"(?<!\*)`([^`]+)`", cell)}
    assert names - plain - {"h", "?"} == set(), "each stands in the table"
    missing = next(cell for cell in cells if cell.startswith("| *`automation`"))
    assert names.intersection(re.findall(r"`([^`]+)`", missing)) == set(), "none in italics is known"
