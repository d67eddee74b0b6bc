"""A crash report holds what happened and no secret; a crashed process leaves one for the next start."""

from __future__ import annotations

import errno
import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from studio.bridge.crashes.crash_reports import (
    collect_traces,
    delete_reports,
    read_reports,
    scrub,
    trace_path,
    write_report,
)
from studio.bridge.crashes.hooks import CrashHooks

CRASHING = """
import os, signal, sys
from pathlib import Path
from studio.bridge.crashes.hooks import ProcessTrace
trace = ProcessTrace(Path(sys.argv[1]), Path(sys.argv[1], "studio.log"))
if sys.argv[2] == "crash":
    os.kill(os.getpid(), signal.SIGSEGV)
trace.close()
"""


@pytest.mark.expected_log("uncaught in")
def test_an_uncaught_error_is_emitted_on_the_gui_thread_and_reported_without_secrets(qtbot, tmp_path):
    log = tmp_path / "studio.log"
    log.write_text("sent with api_key=sk-12345 and token: abcdef\n")
    hooks = CrashHooks(tmp_path / "reports", log)
    with qtbot.waitSignal(hooks.happened) as happened:
        hooks.report(RuntimeError("boom with password=hunter2"), "a slot")
    (report,) = read_reports(tmp_path / "reports")
    assert isinstance(happened.args[0], RuntimeError)
    assert happened.args[1] == report.path
    assert report.error == "RuntimeError: boom with password=..."
    assert "where: a slot" in report.text
    assert "sent with api_key=..." in report.text
    for secret in ("sk-12345", "abcdef", "hunter2"):
        assert secret not in report.text
    assert scrub("key=1") == "key=..."


def _folder_is_a_file(folder, _monkeypatch):
    folder.write_text("")


def _disk_is_full(_folder, monkeypatch):
    def write_some(path, text, **_how):
        path.write_bytes(text[:10].encode())
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(Path, "write_text", write_some)


@pytest.mark.parametrize("fail", [_folder_is_a_file, _disk_is_full])
def test_an_error_whose_report_cannot_be_written_has_none(qtbot, tmp_path, monkeypatch, expected_log, fail):
    expected_log("uncaught in a slot", "studio.bridge.crashes.hooks")
    expected_log("no crash report could be written", "studio.bridge.crashes.hooks")
    folder = tmp_path / "reports"
    hooks = CrashHooks(folder, tmp_path / "studio.log")
    fail(folder, monkeypatch)
    with qtbot.waitSignal(hooks.happened) as happened:
        hooks.report(RuntimeError("boom"), "a slot")
    assert happened.args[1] is None
    assert read_reports(folder) == []


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


@pytest.mark.skipif(os.name == "nt", reason="signals of Unix")
def test_a_crashed_process_leaves_its_stacks_and_one_that_ends_leaves_nothing(tmp_path):
    (tmp_path / "studio.log").write_text("the last line\n")
    run = [sys.executable, "-c", CRASHING, str(tmp_path)]
    ended = subprocess.run([*run, "end"], capture_output=True, timeout=60)
    assert (ended.returncode, ended.stderr) == (0, b"")
    assert [path.name for path in tmp_path.iterdir()] == ["studio.log"]
    crashed = subprocess.run([*run, "crash"], capture_output=True, timeout=60)
    assert crashed.returncode == -signal.SIGSEGV
    trace_path(tmp_path, os.getpid()).write_text("of a process that runs")
    collect_traces(tmp_path, tmp_path / "studio.log")
    (report,) = read_reports(tmp_path)
    assert report.error == "Fatal Python error: Segmentation fault"
    assert 'File "<string>"' in report.text
    assert report.text.rstrip().endswith("the last line")
    assert [path.name for path in tmp_path.glob("*.trace")] == [trace_path(tmp_path, os.getpid()).name]
