"""An uncaught error is shown and reported without secrets; a crashed process leaves its stacks."""

from __future__ import annotations

import errno
import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from collector.crash_reports.crash_reports import (
    collect_traces,
    read_reports,
    report_of,
    scrub,
    trace_path,
    was_reported,
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
    assert report_of(happened.args[0]) == report.path
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
    expected_log("no crash report could be written", "collector.crash_reports.crash_reports")
    folder = tmp_path / "reports"
    hooks = CrashHooks(folder, tmp_path / "studio.log")
    fail(folder, monkeypatch)
    with qtbot.waitSignal(hooks.happened) as happened:
        hooks.report(RuntimeError("boom"), "a slot")
    assert was_reported(happened.args[0])
    assert report_of(happened.args[0]) is None
    assert read_reports(folder) == []


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
