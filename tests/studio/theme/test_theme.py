"""The theme returns token colours, renders every icon and switches live."""

from __future__ import annotations

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QFont
from PySide6.QtWidgets import QApplication, QCompleter, QLabel, QLineEdit, QToolTip, QVBoxLayout, QWidget
from shiboken6 import delete

from collector.device.apps.installed_app import InstalledApp
from studio.theme import SCHEMES, fonts, theme
from studio.theme.fonts import FONT_ROLES
from studio.theme.plain_text_style import PlainTextStyle
from studio.widgets.app_field import AppField
from studio.widgets.controls.fields import dress_completer
from tests.helpers.icons import ICON_NAMES


@pytest.mark.parametrize("scheme", SCHEMES)
@pytest.mark.parametrize("size", [12, 14, 16, 20])
@pytest.mark.parametrize("ratio", [1.0, 1.5, 2.0])
def test_every_icon_renders_at_every_size_and_ratio(dressed, scheme, size, ratio):
    dressed.use(scheme)
    for name in ICON_NAMES:
        pixmap = dressed.pixmap(name, size, "text", ratio)
        assert pixmap.width() == round(size * ratio)
        assert pixmap.devicePixelRatio() == ratio
        image = pixmap.toImage()
        drawn = sum(
            image.pixelColor(x, y).alpha() > 32 for x in range(image.width()) for y in range(image.height())
        )
        assert drawn >= 3, name


def test_an_icon_is_made_for_the_screens_that_are_there_and_for_twice_the_pixels(dressed):
    """With one for every ratio that there may be the icons of the window took 6 MB."""
    sizes = dressed.icon("stop").availableSizes()
    assert sorted(size.width() for size in sizes) == [16, 32]


def test_an_icon_takes_the_colour_it_is_asked_for(dressed):
    image = dressed.pixmap("stop", 16, "err", 2.0).toImage()
    expected = dressed.color("err")
    colors = {image.pixelColor(x, y).name() for x in range(32) for y in range(32)}
    assert expected.name() in colors


def test_a_live_switch_tells_and_changes_colours(dressed, qtbot):
    before = dressed.color("bg-1")
    with qtbot.waitSignal(dressed.changed):
        dressed.use("light")
    assert dressed.scheme == "light"
    assert dressed.color("bg-1") != before


def test_the_sheet_fills_every_token(dressed, qapp):
    assert "$" not in qapp.styleSheet()
    assert dressed.color("bg-1").name().lstrip("#") in qapp.styleSheet()


@pytest.mark.parametrize("role", FONT_ROLES)
def test_fonts_have_tabular_figures_or_are_mono(dressed, role):
    font = dressed.font(role)
    assert font.pixelSize() >= 11 or font.pointSizeF() > 0
    assert font.isFeatureSet(QFont.Tag("tnum")) or role.startswith("code")


def test_regular_text_looks_regular_on_dark(dressed, qapp, monkeypatch):
    """FreeType draws light text of CFF fonts too bold: a lighter weight makes up for it."""
    monkeypatch.setattr(fonts, "_is_thickened", lambda _role: True)
    fonts._build.cache_clear()
    try:
        dressed.use("dark")
        assert (dressed.font("body").weight(), dressed.font("name").weight()) == (350, 500)
        assert qapp.font().weight() == 350
        dressed.use("light")
        assert dressed.font("body").weight() == qapp.font().weight() == 400
    finally:
        fonts._build.cache_clear()


def test_motion_off_makes_every_duration_zero(dressed):
    assert dressed.duration("panel") == 0
    dressed.set_motion(True)
    assert dressed.duration("panel") == 140
    dressed.set_motion(False)


def test_an_unknown_colour_is_an_error():
    with pytest.raises(KeyError):
        theme.color("mauve")


@pytest.mark.qt_log_ignore("raise", extend=True)
@pytest.mark.fault("F27")
def test_a_tooltip_shows_markup_as_the_text_it_is(dressed, qtbot):
    """F27: descriptions and names come from projects of others."""
    home = QWidget()
    qtbot.addWidget(home)
    home.show()
    QToolTip.showText(home.mapToGlobal(home.rect().center()), "<img src=x><b>a</b>", home)
    (tip,) = [
        widget for widget in QApplication.topLevelWidgets() if widget.metaObject().className() == "QTipLabel"
    ]
    assert tip.textFormat() is Qt.TextFormat.PlainText
    QToolTip.hideText()


@pytest.fixture
def styled(dressed, qapp):
    """The labels that are styled during the test. A style remembers its method, so each gets its own."""
    targets = []
    polish = PlainTextStyle.polish

    def noting(self, target):
        if isinstance(target, QLabel):  # a palette lives no longer than the call
            targets.append(target)
        return polish(self, target)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(PlainTextStyle, "polish", noting)
        qapp.setStyle(PlainTextStyle())
        yield targets
    qapp.setStyle(PlainTextStyle())


def test_a_theme_that_is_there_is_not_installed_again(dressed, qapp, styled):
    label = QLabel("text")
    label.ensurePolished()
    assert any(target is label for target in styled)
    styled.clear()
    dressed.install(qapp, "dark", motion=False)
    assert not styled
    dressed.use("light")
    assert any(target is label for target in styled)


@pytest.mark.qt_log_ignore("propagateSizeHints", extend=True)
def test_parts_of_a_window_are_styled_once_when_they_get_their_place_in_it(dressed, qapp, qtbot, styled):
    window, label, box = QWidget(), QLabel("text"), QWidget()
    qtbot.addWidget(window)
    dressed.dress(window)
    assert qapp.styleSheet() == ""
    label.setProperty("role", "heading")
    QVBoxLayout(box).addWidget(label)
    outer = QWidget()
    QVBoxLayout(outer).addWidget(box)
    QVBoxLayout(window).addWidget(outer)
    window.show()
    assert sum(target is label for target in styled) == 1
    assert label.font() == dressed.font("heading")
    dark = window.styleSheet()
    dressed.use("light")
    assert window.styleSheet() not in ("", dark)
    assert qapp.styleSheet() == ""


def test_after_its_window_the_application_is_styled_itself(dressed, qapp):
    window = QWidget()
    dressed.dress(window)
    delete(window)
    dressed.use("light")
    assert qapp.styleSheet()


@pytest.mark.qt_log_ignore("propagateSizeHints", "raise", "grabbing the keyboard", extend=True)
def test_the_list_of_a_completer_is_styled_as_its_field_is(dressed, qtbot):
    window, field, apps = QWidget(), QLineEdit(), AppField([InstalledApp(name) for name in ("shop", "show")])
    qtbot.addWidget(window)
    dressed.dress(window)
    column = QVBoxLayout(window)
    column.addWidget(field)
    column.addWidget(apps)
    completer = QCompleter(["shop", "show"], field)
    dress_completer(completer)
    field.setCompleter(completer)
    window.show()
    for line in (field, apps.lineEdit()):
        line.setFocus()
        qtbot.keyClicks(line, "sh")
        popup = line.completer().popup()
        assert popup.isVisible()
        assert popup.window() is popup
        assert popup.grab().toImage().pixelColor(3, 3) == dressed.color("bg-2")
        assert popup.sizeHintForRow(0) == 26, "no room around the words"
        assert not popup.verticalScrollBar().isVisible()
        popup.hide()
