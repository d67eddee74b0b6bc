"""The test harness fails a test that logs, warns or leaks."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]


def outcome(folder: Path, body: str, *options: str) -> str:
    """Run ``body`` as a test module under the real harness; return its output."""
    test = folder / "test_probe.py"
    test.write_text(body, encoding="utf-8")
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "-p", "tests.conftest"]
    command += ["-c", str(ROOT / "pyproject.toml"), "--rootdir", str(ROOT), *options, str(test)]
    return subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=60).stdout


LOG = "import logging\n\ndef test_it():\n    logging.getLogger('collector.adb').warning('odd bytes')\n"
EXPECTED_LOG = """
import logging

def test_it(expected_log):
    expected = expected_log('odd bytes', 'collector')
    logging.getLogger('collector.adb').warning('odd bytes')
    assert len(expected.records) == 1
"""
MISSING_LOG = "def test_it(expected_log):\n    expected_log('odd bytes')\n"
WARNING = "import warnings\n\ndef test_it():\n    warnings.warn('old way', DeprecationWarning)\n"
THREAD = """
import threading
from tests.helpers import threads

threads.GRACE_SECONDS = 0.05
stop = threading.Event()

def test_it():
    threading.Thread(target=stop.wait, args=(30,), name='forgotten', daemon=True).start()
"""
TIMER = """
import pytest
QtCore = pytest.importorskip('PySide6.QtCore')

def test_it(qapp):
    timer = QtCore.QTimer(qapp)
    timer.start(1000)
"""
QT_WARNING = """
import pytest
QtCore = pytest.importorskip('PySide6.QtCore')

def test_it(qapp):
    QtCore.qWarning('bad geometry')
"""
BLOCKED = """
import pytest

def test_it():
    with pytest.raises(ImportError, match='blocked'):
        import PySide6
"""


@pytest.mark.parametrize(
    ("body", "complaint"),
    [
        (LOG, "unexpected log record: WARNING collector.adb: odd bytes"),
        (MISSING_LOG, "expected log record never came: /odd bytes/"),
        (WARNING, "DeprecationWarning: old way"),
        (THREAD, "thread 'forgotten' (daemon=True) outlived the test"),
        (TIMER, "is still active"),
        (QT_WARNING, "bad geometry"),
    ],
    ids=["log", "missing log", "python warning", "thread", "timer", "qt warning"],
)
def test_noise_fails_and_says_what_was_heard(tmp_path: Path, body: str, complaint: str) -> None:
    if "PySide6" in body:
        pytest.importorskip("PySide6")
    output = outcome(tmp_path, body)
    assert complaint in output
    assert "1 failed" in output or "1 error" in output


def test_an_expected_record_is_no_failure(tmp_path: Path) -> None:
    assert "1 passed" in outcome(tmp_path, EXPECTED_LOG)


def test_qt_cannot_be_imported_when_blocked(tmp_path: Path) -> None:
    assert "1 passed" in outcome(tmp_path, BLOCKED, "--no-qt", "-p", "no:pytest-qt")
