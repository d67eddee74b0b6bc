"""What went wrong at the last start is said once, and its report can be read, copied and deleted."""

from __future__ import annotations

import pytest
from PySide6.QtWidgets import QApplication

from studio.app.logs import log_folder
from studio.bridge.crashes.crash_reports import read_reports, write_report
from studio.views.crash_report_dialog import CrashReportDialog
from studio.widgets.controls import Button

pytestmark = pytest.mark.qt_log_ignore("propagateSizeHints", "grabbing the keyboard", "raise", extend=True)


def toasts_of(studio):
    return [toast for toast in studio.window.toasts.shown if "last time" in toast.accessibleName()]


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


def test_an_error_of_now_offers_its_report(studio, tmp_path):
    studio.show_uncaught(ValueError("x"), tmp_path / "crash.txt")
    (toast,) = studio.window.toasts.shown
    assert toast.accessibleName() == (
        "Something went wrong in the studio. ValueError: x. A report of it stays on this computer"
    )
    assert toast.findChild(Button).text() == "Show report"


def test_an_error_of_now_without_a_report_claims_none(studio):
    studio.show_uncaught(ValueError("x"), None)
    (toast,) = studio.window.toasts.shown
    assert toast.accessibleName() == (
        "Something went wrong in the studio. ValueError: x. No report of it could be written"
    )
    assert toast.findChild(Button) is None
