"""Crash reports are written, read, kept and deleted, and a command that fails leaves one."""

from __future__ import annotations

import json
import os
import subprocess
import sys

import pytest

from collector.crash_reports.crash_reports import (
    delete_reports,
    read_reports,
    report_error,
    write_report,
)


def _fail_again(value):
    try:
        raise ValueError(value)
    except ValueError as error:
        return error


def test_what_happens_again_has_the_report_of_the_first_time_until_it_is_deleted(tmp_path):
    first, again, other = (_fail_again(value) for value in ("a", "a", "b"))
    path = report_error(first, "a test", tmp_path)
    assert report_error(first, "another place", tmp_path) == path
    assert report_error(again, "a test", tmp_path) == path
    assert report_error(other, "a test", tmp_path) != path
    delete_reports(read_reports(tmp_path))
    assert report_error(_fail_again("a"), "a test", tmp_path) == read_reports(tmp_path)[0].path


COMMAND = """
import sys
from collector.cli import main
def fail(**_words):
    raise ZeroDivisionError("boom")
main.waymark.main = fail
sys.exit(main.main())
"""


@pytest.mark.parametrize("is_writable", [True, False])
def test_a_command_that_fails_shows_where_and_leaves_a_report(tmp_path, is_writable):
    logs = tmp_path / "state" / "logs"
    if not is_writable:
        logs.parent.mkdir()
        logs.write_text("")
    done = subprocess.run(
        [sys.executable, "-c", COMMAND, "project", "check", "--json"],
        env=os.environ | {"WAYMARK_HOME": str(tmp_path)}, capture_output=True, text=True, timeout=60,
    )  # fmt: skip
    assert done.returncode == 1
    assert "in fail" in done.stderr
    last = done.stderr.splitlines()[-1]
    said = "waymark: Something went wrong in the program. ZeroDivisionError: boom. "
    paths = [f"A report of it stays on this computer: {report.path}" for report in read_reports(logs)]
    assert [last] == [said + kept for kept in paths or ["No report of it could be written"]]
    assert bool(paths) is is_writable
    assert json.loads(done.stdout)["error"]["what"] == "Something went wrong in the program"


def test_reports_are_read_newest_first_and_only_after_a_name(tmp_path):
    names = ("crash-20260101-000000-000.txt", "crash-20260102-030405-001.txt")
    for name in names:
        (tmp_path / name).write_text("error: x\n")
    (tmp_path / "crash-of-somebody.txt").write_text("no report")
    assert [report.name for report in read_reports(tmp_path)] == [*reversed(names)]
    assert [report.name for report in read_reports(tmp_path, names[0])] == [names[1]]
    delete_reports(read_reports(tmp_path))
    assert read_reports(tmp_path) == []


def test_at_most_twenty_are_kept(tmp_path):
    for number in range(25):
        (tmp_path / f"crash-20260101-0000{number:02}-000.txt").write_text("error: x\n")
    write_report(tmp_path, "y", "stack", "a test", tmp_path / "none.log")
    assert len(read_reports(tmp_path)) == 20
    assert read_reports(tmp_path)[0].error == "y"
