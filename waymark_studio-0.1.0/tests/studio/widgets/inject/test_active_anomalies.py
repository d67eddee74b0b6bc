"""The red badge, the list it opens, and what is asked before commands run."""

from __future__ import annotations

import datetime as dt
from dataclasses import replace
from pathlib import Path

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QWidget

from collector.anomalies.anomaly_source import TrustRequest
from collector.anomalies.injector import InjectionRequest
from collector.anomalies.journal import PendingChange
from collector.anomalies.model import Anomaly
from collector.anomalies.trust.command_effects import CommandEffects, command_effects
from collector.anomalies.trust.command_preview import CommandGroup
from collector.consent.transfer import Transfer
from studio.widgets.controls import Button, Label
from studio.widgets.inject.active_anomalies import ActiveBadge, ActivePopup
from studio.widgets.inject.confirmation_dialogs import DangerDialog, TrustDialog, effects_text

pytestmark = pytest.mark.qt_log_ignore("propagateSizeHints", "raise", "grabbing the keyboard", extend=True)
LONG_AGO = dt.datetime(2026, 4, 12, 9, 30, tzinfo=dt.UTC)
WIFI = PendingChange(
    "a1", "wifi_off", ("svc wifi enable",), since=LONG_AGO.isoformat(), earlier=True, problem="it said no"
)
DIALOG = PendingChange("b2", "battery_low_double_en", ("am force-stop x",), native=False)


@pytest.fixture
def host(dressed, qtbot):
    widget = QWidget()
    qtbot.addWidget(widget)
    widget.resize(900, 600)
    widget.show()
    return widget


def words(widget):
    return [label.text() for label in widget.findChildren(Label)]


def test_the_badge_counts_and_hides_when_nothing_is_left(host):
    badge = ActiveBadge(host)
    badge.show_active((WIFI,))
    assert (badge.isVisible(), badge.accessibleName()) == (True, "1 anomaly active")
    badge.show_active((WIFI, DIALOG))
    assert badge.text() == "2 anomalies active"
    assert not badge.grab().isNull()
    badge.show_active(())
    assert not badge.isVisible()


def test_the_list_tells_each_change_and_asks_for_its_undo(host, qtbot):
    popup = ActivePopup(host)
    popup.show_active((WIFI, DIALOG))
    popup.open_at(QPoint(600, 500))
    shown = words(popup)
    assert shown.index("battery_low_double_en") < shown.index("wifi_off")
    assert "svc wifi enable" in shown
    assert "it said no" in shown
    assert any("of an earlier session" in text and "2026-04-12" in text for text in shown)
    undo = next(button for button in popup.findChildren(Button) if button.accessibleName() == "Undo wifi_off")
    with qtbot.waitSignal(popup.undo_asked) as caught:
        undo.click()
    assert caught.args == ["a1"]
    with qtbot.waitSignal(popup.undo_asked) as caught:
        popup.undo_all.click()
    assert caught.args == [""]
    popup.show_active(())
    assert not popup.isVisible()


def test_escape_closes_the_list(host):
    popup = ActivePopup(host)
    popup.show_active((WIFI,))
    popup.open_at(QPoint(600, 500))
    QTest.keyClick(popup, Qt.Key.Key_Escape)
    assert not popup.isVisible()


@pytest.fixture
def wanted():
    commands = (command_effects("settings put global wifi_on 0"), command_effects("pm clear com.shop"))
    group = CommandGroup("mine", "My own", commands)
    return TrustRequest(Path("benchmark"), InjectionRequest(Anomaly("mine")), (group,), ("a", "b"))


def test_trust_shows_every_command_with_what_it_touches_and_enter_is_no(host, wanted):
    dialog = TrustDialog(wanted, host)
    dialog.open()
    shown = words(dialog)
    assert {"mine", "My own", "settings put global wifi_on 0", "pm clear com.shop"} <= set(shown)
    assert "setting global/wifi_on" in shown
    assert "dangerous: it erases all data of an app" in shown
    taken = []
    dialog.accepted.connect(lambda: taken.append("yes"))
    dialog.rejected.connect(lambda: taken.append("no"))
    QTest.keyClick(dialog, Qt.Key.Key_Return)
    assert taken == ["no"]


def test_trust_names_the_hosts_and_what_is_sent_to_them(host, wanted):
    transfer = Transfer("https://models.example", ("gpu",))
    sent = tuple(CommandEffects(sentence) for sentence in transfer.sentences())
    hosts = CommandGroup("spy", "Sends to a host", sent)
    dialog = TrustDialog(replace(wanted, commands=(), groups=(hosts,), transfers=(transfer,)), host)
    shown = " ".join(words(dialog))
    assert "Let this project send what the phone shows?" in shown
    assert "send pictures, UI trees and texts of the phone to https://models.example" in shown
    assert "send the key gpu to https://models.example" in shown
    assert "shell commands" not in shown
    assert dialog.yes.text() == "Allow it"
    both = TrustDialog(replace(wanted, groups=(*wanted.groups, hosts), transfers=(transfer,)), host)
    shown = " ".join(words(both))
    assert "shell commands" in shown
    assert "show the phone's screen" in shown


def test_a_dangerous_command_is_not_run_by_enter_or_escape(host, qtbot):
    for key in (Qt.Key.Key_Return, Qt.Key.Key_Escape):
        dialog = DangerDialog(command_effects("reboot"), host)
        dialog.open()
        with qtbot.waitSignal(dialog.finished) as caught:
            QTest.keyClick(dialog, key)
        assert caught.args == [0]


def test_what_a_command_touches_reads_as_words():
    assert effects_text(command_effects("am start -a android.settings.WIFI_SETTINGS")) == [
        "page android.settings.WIFI_SETTINGS"
    ]
    assert effects_text(command_effects("cmd wifi set-wifi-enabled disabled")) == ["service wifi"]
