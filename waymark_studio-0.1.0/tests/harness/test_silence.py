"""The test harness fails a test that logs, warns or leaks."""

from __future__ import annotations

import importlib.util
import re
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]


def outcomes(folder: Path, bodies: Mapping[str, str], *options: str) -> str:
    """Run each body as a test module under the real harness, all in one process; return the output."""
    tests = [folder / f"test_{name}.py" for name in bodies]
    for test, (name, body) in zip(tests, bodies.items(), strict=True):
        test.write_text(body.replace("def test_it", f"def test_{name}"), encoding="utf-8")
    command = [sys.executable, "-m", "pytest", "-q", "-rA", "-p", "no:cacheprovider", "-p", "tests.conftest"]
    command += ["-c", str(ROOT / "pyproject.toml"), "--rootdir", str(ROOT), *options, *map(str, tests)]
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


COMPLAINTS = {
    "log": (LOG, "unexpected log record: WARNING collector.adb: odd bytes"),
    "missing_log": (MISSING_LOG, "expected log record never came: /odd bytes/"),
    "python_warning": (WARNING, "DeprecationWarning: old way"),
    "thread": (THREAD, "thread 'forgotten' (daemon=True) outlived the test"),
    "timer": (TIMER, "is still active"),
    "qt_warning": (QT_WARNING, "bad geometry"),
}


def test_noise_fails_and_says_what_was_heard_and_an_expected_record_is_no_failure(tmp_path: Path) -> None:
    noisy = {
        name: given
        for name, given in COMPLAINTS.items()
        if importlib.util.find_spec("PySide6") or "PySide6" not in given[0]
    }
    bodies = {name: body for name, (body, _complaint) in noisy.items()} | {"expected_log": EXPECTED_LOG}
    output = outcomes(tmp_path, bodies)
    for name, (_body, complaint) in noisy.items():
        assert complaint in output
        assert re.search(rf"^(FAILED|ERROR) .*::test_{name}\b", output, re.MULTILINE), output
    assert re.search(r"^PASSED .*::test_expected_log\b", output, re.MULTILINE), output


def test_qt_cannot_be_imported_when_blocked(tmp_path: Path) -> None:
    assert "1 passed" in outcomes(tmp_path, {"blocked": BLOCKED}, "--no-qt", "-p", "no:pytest-qt")
