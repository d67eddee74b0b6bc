"""What went wrong at the last start is said once, and its report can be read, copied and deleted."""

from __future__ import annotations

import pytest
from PySide6.QtWidgets import QApplication

from collector.crash_reports.crash_reports import read_reports, write_report
from collector.host.user_folders import log_folder
from studio.bridge.crashes.hooks import CrashHooks
from studio.views.crash_report_dialog import CrashReportDialog
from studio.widgets.controls import Button

pytestmark = pytest.mark.qt_log_ignore("propagateSizeHints", "grabbing the keyboard", "raise", extend=True)


@pytest.fixture
def hooks():
    return CrashHooks(log_folder(), log_folder() / "studio.log")


def toasts_of(studio):
    return [toast for toast in studio.window.toasts.shown if "since the last start" in toast.accessibleName()]


def test_the_next_start_says_it_once_and_shows_what_the_report_holds(make, qtbot):
    for error in ("ValueError: first", "KeyError: 'second'"):
        write_report(log_folder(), error, "Traceback", "a test", log_folder() / "none.log")
    studio = make()
    studio.crashes.start()
    qtbot.waitUntil(lambda: bool(toasts_of(studio)))
    (toast,) = toasts_of(studio)
    assert "2 errors" in toast.accessibleName()
    assert "KeyError: 'second'" in toast.accessibleName()
    toast.findChild(Button).click()
    qtbot.waitUntil(lambda: studio.window.findChild(CrashReportDialog) is not None)
    dialog = studio.window.findChild(CrashReportDialog)
    assert "KeyError: 'second'" in dialog.text.toPlainText()
    dialog.choice.setCurrentIndex(1)
    dialog.copy.click()
    assert "ValueError: first" in QApplication.clipboard().text()
    dialog.delete.click()
    qtbot.waitUntil(lambda: [report.error for report in read_reports(log_folder())] == ["KeyError: 'second'"])
    assert "KeyError: 'second'" in dialog.text.toPlainText()
    dialog.delete.click()
    qtbot.waitUntil(lambda: read_reports(log_folder()) == [])
    assert dialog.none.isVisible()
    dialog.close()
    studio.crashes.start()
    qtbot.waitUntil(lambda: not studio.tasks.jobs)
    assert len(toasts_of(studio)) <= 1


def _break(_job):
    raise ValueError("x")


def test_a_job_that_fails_leaves_a_report_and_offers_it(studio, qtbot, hooks, expected_log):
    expected_log("uncaught in a job of the window", "studio.bridge.crashes.hooks")
    studio.tasks.keep_report = hooks.keep
    studio.tasks.run(_break)
    qtbot.waitUntil(lambda: bool(studio.window.toasts.shown))
    (report,) = read_reports(log_folder())
    assert (report.error, "_break" in report.text) == ("ValueError: x", True)
    (toast,) = studio.window.toasts.shown
    assert toast.accessibleName() == (
        "Something went wrong in the studio. ValueError: x. A report of it stays on this computer"
    )
    assert toast.findChild(Button).text() == "Show report"


@pytest.mark.parametrize("is_tried", [True, False])
def test_an_error_of_now_without_a_report_claims_none(studio, hooks, expected_log, is_tried):
    error, says = ValueError("x"), ""
    if is_tried:
        expected_log("uncaught in a test", "studio.bridge.crashes.hooks")
        expected_log("no crash report could be written", "collector.crash_reports.crash_reports")
        log_folder().parent.mkdir(parents=True, exist_ok=True)
        log_folder().write_text("")
        hooks.keep(error, "a test")
        says = ". No report of it could be written"
    studio.show_uncaught(error)
    (toast,) = studio.window.toasts.shown
    assert toast.accessibleName() == f"Something went wrong in the studio. ValueError: x{says}"
    assert toast.findChild(Button) is None
