"""The companion app's test screen, which turns from black to white as a finger comes down."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from collector.anomalies.dialogs.companion import close_command
from collector.device.apps.companion_app import CompanionApp
from collector.device.device_info import read_foreground
from collector.device.foreground import Foreground
from collector.device_check.settings_app import HOME, show_settings
from collector.device_check.step import CheckStepRun
from collector.model.anomaly_terms import COMPANION_PACKAGE
from collector.model.companion.contract import TEST_ACTIVITY, TEST_SECURE
from collector.model.i18n import _

_OPENS_S = 4.0


@contextmanager
def shown_test_screen(run: CheckStepRun, *, secure: bool = False) -> Iterator[Foreground | None]:
    """Show the screen until the end of the block; None where the phone does not have this app.

    A ``secure`` one forbids pictures. Settings are in front afterwards.
    """
    if not CompanionApp(run.device).status(run.cancel).is_current:
        yield None
        return
    run.changes.plan(_("the app in front"), HOME)
    run.changes.plan(_("the test screen"), close_command())
    asked = ["--ez", TEST_SECURE, "true"] if secure else []
    run.device.shell(["am", "start", "-W", "-n", f"{COMPANION_PACKAGE}/.{TEST_ACTIVITY}", *asked])
    try:
        is_there = run.wait_until(lambda: _is_test_screen(read_foreground(run.device)), _OPENS_S)
        yield read_foreground(run.device) if is_there else None
    finally:
        run.device.shell(close_command())
        show_settings(run)


def _is_test_screen(front: Foreground) -> bool:
    return front.package == COMPANION_PACKAGE and front.activity.endswith(TEST_ACTIVITY)
