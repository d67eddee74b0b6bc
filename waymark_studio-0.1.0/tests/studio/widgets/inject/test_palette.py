"""The palette is used by keyboard and mouse, and gives back the focus it took."""

from __future__ import annotations

import pytest
from PySide6.QtCore import QRect, Qt
from PySide6.QtGui import QImage
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QDoubleSpinBox, QLineEdit, QSpinBox, QVBoxLayout, QWidget

from collector.anomalies.builtin_library import builtin_library
from collector.anomalies.model import NATIVE
from collector.anomalies.reader import read_library
from studio.widgets.controls import Label, Switch
from studio.widgets.inject.anomaly_entries import AnomalyEntry, InjectTarget
from studio.widgets.inject.palette import InjectPalette
from studio.widgets.inject.parameter_form import ParameterForm

pytestmark = pytest.mark.qt_log_ignore("propagateSizeHints", "raise", "grabbing the keyboard", extend=True)
TYPED = """
interference_library:
  - id: typed
    kind: native
    category: UX Disruption
    params:
      level: {type: integer, value: 4, minimum: 1, maximum: 100}
      scale: {type: number, value: 1.3, minimum: 0.85, maximum: 2.0}
      loud: {type: flag, value: true}
      word: hello
    commands: [{apply: ["true {level} {scale} {loud} {word}"], undo: ["true"]}]
"""


@pytest.fixture
def host(dressed, qtbot):
    widget = QWidget()
    qtbot.addWidget(widget)
    widget.resize(1400, 900)
    widget.field = QLineEdit()
    QVBoxLayout(widget).addWidget(widget.field)
    widget.show()
    qtbot.waitExposed(widget)
    widget.field.setFocus()
    return widget


@pytest.fixture
def palette(host):
    inject_palette = InjectPalette(host)
    inject_palette.set_entries([AnomalyEntry(anomaly) for anomaly in builtin_library().anomalies])
    inject_palette.set_target(InjectTarget(True, 14))
    inject_palette.open()
    return inject_palette


def chosen(palette):
    return palette.list.current.anomaly.id


@pytest.mark.parametrize(
    ("phone", "beside"),
    [
        (QRect(200, 60, 260, 600), True),
        (QRect(900, 60, 260, 600), True),
        (QRect(300, 200, 640, 300), False),
        (QRect(), False),
    ],
)
def test_the_palette_opens_beside_the_phone(host, phone, beside):
    host.resize(1280, 760)
    palette = InjectPalette(host, lambda: phone)
    palette.open()
    assert host.rect().contains(palette.geometry())
    assert palette.geometry().intersects(phone) == (not beside and not phone.isEmpty())
    if not beside:
        assert abs(palette.geometry().center().x() - 640) <= 1


def test_typing_searches_and_enter_fires(palette, qtbot, host):
    QTest.keyClicks(palette.field, "wifi_off")
    assert chosen(palette) == "wifi_off"
    with qtbot.waitSignal(palette.fired) as caught:
        QTest.keyClick(palette.field, Qt.Key.Key_Return)
    assert (caught.args[0].id, caught.args[1]) == ("wifi_off", {})
    assert not palette.isVisible()
    assert host.field.hasFocus()


def test_arrows_move_through_the_list_and_escape_closes(palette, host):
    first = chosen(palette)
    QTest.keyClick(palette.field, Qt.Key.Key_Down)
    assert chosen(palette) != first
    assert palette.details.entry.anomaly.id == chosen(palette)
    QTest.keyClick(palette.field, Qt.Key.Key_Up)
    assert chosen(palette) == first
    QTest.keyClick(palette.field, Qt.Key.Key_Escape)
    assert not palette.isVisible()
    assert host.field.hasFocus()


def test_a_click_elsewhere_closes_and_leaves_the_focus_there(palette, host):
    host.field.setFocus()
    assert not palette.isVisible()
    assert host.field.hasFocus()


def test_tab_goes_round_through_filters_parameters_and_the_button(palette, qtbot):
    QTest.keyClicks(palette.field, "font_scale")
    qtbot.waitUntil(lambda: palette.details.form.fields["scale"].isVisible())
    seen = [palette.focusWidget()]
    while len(seen) == 1 or seen[-1] is not palette.field:
        assert len(seen) < 12
        QTest.keyClick(palette.focusWidget(), Qt.Key.Key_Tab)
        seen.append(palette.focusWidget())
    scale = palette.details.form.fields["scale"]
    assert {palette.filters.category, palette.filters.kind, scale, palette.inject} <= set(seen)


def test_filters_are_set_by_keys(palette):
    palette.filters.kind.setFocus()
    QTest.keyClick(palette.filters.kind, Qt.Key.Key_Right)
    QTest.keyClick(palette.filters.kind, Qt.Key.Key_Right)
    assert {entry.anomaly.kind for entry in palette.list.entries} == {NATIVE}


def test_a_double_click_fires_and_a_single_one_shows(palette, qtbot):
    index = palette.list.model().index(3, 0)
    at = palette.list.visualRect(index).center()
    QTest.mouseClick(palette.list.viewport(), Qt.MouseButton.LeftButton, pos=at)
    assert chosen(palette) == palette.list.entries[3].anomaly.id
    with qtbot.waitSignal(palette.fired):
        QTest.mouseDClick(palette.list.viewport(), Qt.MouseButton.LeftButton, pos=at)


def test_what_does_not_suit_cannot_be_fired_and_says_why(palette, qtbot):
    palette.set_target(InjectTarget())
    assert not palette.inject.isEnabled()
    assert palette.list.reason.startswith("No phone is in use: ")
    with qtbot.assertNotEmitted(palette.fired):
        QTest.keyClick(palette.field, Qt.Key.Key_Return)
    assert palette.isVisible()
    palette.set_target(InjectTarget(True, 14))
    assert palette.inject.isEnabled()


def test_changed_parameters_are_given_and_drawn(palette, qtbot):
    QTest.keyClicks(palette.field, "battery_low_double_en")
    title = palette.details.form.fields["param_title"]
    title.setFocus()
    title.selectAll()
    with qtbot.waitSignal(palette.preview_wanted) as caught:
        QTest.keyClicks(title, "Nearly off")
    assert caught.args[1] == {"param_title": "Nearly off"}
    with qtbot.waitSignal(palette.fired) as fired:
        QTest.keyClick(title, Qt.Key.Key_Return)
    assert fired.args[1] == {"param_title": "Nearly off"}


def test_the_picture_is_asked_for_as_the_phone_looks(palette, qtbot):
    with qtbot.waitSignal(palette.preview_wanted) as caught:
        palette.set_dark(True)
    assert caught.args[2] is True
    picture = palette.details.picture
    palette.show_preview(None)
    assert picture.accessibleDescription() == "Drawing..."
    palette.show_preview(QImage())
    assert picture.accessibleDescription() == "Nothing of it shows"
    palette.show_preview(QImage(40, 80, QImage.Format.Format_RGB32))
    assert picture.accessibleDescription() == ""
    assert not palette.grab().isNull()


def test_parameters_have_fields_of_their_types_within_their_ranges(dressed, qtbot):
    form = ParameterForm()
    qtbot.addWidget(form)
    form.show_anomaly(read_library(TYPED).anomalies[0])
    fields = form.fields
    kinds = {name: type(field) for name, field in fields.items()}
    assert kinds == {"level": QSpinBox, "scale": QDoubleSpinBox, "loud": Switch, "word": QLineEdit}
    assert form.values() == {}
    fields["level"].setValue(500)
    fields["scale"].setValue(0.1)
    fields["loud"].setChecked(False)
    fields["word"].setText("bye")
    assert form.values() == {"level": 100, "scale": 0.85, "loud": False, "word": "bye"}
    assert all(field.accessibleName() for field in fields.values())


def test_of_a_native_one_the_commands_of_this_android_are_told(palette):
    QTest.keyClicks(palette.field, "wifi_off")

    def emitted():
        return {label.text() for label in palette.details.findChildren(Label)}

    assert "cmd wifi set-wifi-enabled disabled" in emitted()
    assert "svc wifi disable" not in emitted()
    palette.set_target(InjectTarget(True, 10))
    assert "svc wifi disable" in emitted()
    palette.set_target(InjectTarget(True, 0))
    assert {"svc wifi disable", "cmd wifi set-wifi-enabled disabled"} <= emitted()


def test_used_lately_is_chosen_first(palette):
    palette.close_palette()
    palette.set_recent(["app_crash"])
    palette.open()
    assert chosen(palette) == "app_crash"


def test_the_palette_stays_in_the_middle_of_a_window_that_changes_its_size(palette, host):
    for width, height in ((960, 600), (1600, 1000)):
        host.resize(width, height)
        assert host.rect().contains(palette.geometry())
        assert abs(palette.geometry().center().x() - host.rect().center().x()) <= 1
    palette.close_palette()


def test_long_ids_and_what_nothing_takes_back_are_told_within_the_palette(palette):
    library = read_library(f"""
interference_library:
  - id: {"long_" * 40}
    kind: native
    commands: [{{apply: ["true"]}}]
""")
    palette.set_entries([AnomalyEntry(anomaly) for anomaly in library.anomalies])
    details = palette.details
    assert details.widget().minimumSizeHint().width() <= details.viewport().width()
    assert "it cannot be undone" in [label.text() for label in details.findChildren(Label)]
