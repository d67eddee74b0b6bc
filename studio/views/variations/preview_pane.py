"""The preview of a combination: chosen screens of the phone, before and after, beside each other."""

from __future__ import annotations

import math
from collections.abc import Sequence
from functools import partial

from PySide6.QtCore import QRectF, QSize, Qt, Signal
from PySide6.QtGui import QAction, QActionGroup, QPainter, QPaintEvent, QResizeEvent
from PySide6.QtWidgets import QHBoxLayout, QScrollArea, QSizePolicy, QVBoxLayout, QWidget

from collector.model.i18n import _
from rule_editor.widgets.popup_menu import PopupMenu
from studio.bridge.variations.pictures import FIRST_LOCALE, FIRST_SEED, DrawnPair, DrawnPairs
from studio.theme import theme
from studio.widgets.controls import Button, Label, surface
from studio.widgets.dialogs.input_dialogs import ask_number
from studio.widgets.painting import draw_screen_image, draw_text

FIRST_SCREENS = ("shop", "todo", "calendar/agenda")
"""Shown until a person chooses others."""
LOCALES = {"en-US": "English", "zh-CN": "简体中文"}
"""Languages of the virtual phone, each in its own words; others come by variations."""
_SEEDS = range(2**31)
_MARGIN, _GAP, _RADIUS, _CAPTION, _WIDEST = 20, 16, 12, 22, 250


class _Pair(QWidget):
    """One screen before and after."""

    def __init__(self) -> None:
        super().__init__()
        self._pair: DrawnPair | None = None
        self.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Fixed)

    def show_pair(self, pair: DrawnPair) -> None:
        self._pair = pair
        same = _("the same") if pair.same else _("different")
        self.setAccessibleName(f"{pair.screen}: {same}")
        self._fit()
        self.update()

    def resizeEvent(self, event: QResizeEvent) -> None:  # noqa: N802 - Qt's name
        super().resizeEvent(event)
        self._fit()

    @property
    def _sizes(self) -> list[QSize]:
        """Of the pictures as they are painted."""
        if self._pair is None:
            return []
        width = min(_WIDEST, max(60, (self.width() - _GAP) // 2))
        most = QSize(width, 10_000)
        keep = Qt.AspectRatioMode.KeepAspectRatio
        return [image.size().scaled(most, keep) for image in (self._pair.before, self._pair.after)]

    def _fit(self) -> None:
        tall = max((size.height() for size in self._sizes), default=0)
        if self.height() != tall + _CAPTION:
            self.setFixedHeight(tall + _CAPTION)

    def paintEvent(self, _event: QPaintEvent) -> None:  # noqa: N802 - Qt's name
        if self._pair is None:
            return
        painter = QPainter(self)
        sizes = self._sizes
        left = (self.width() - sum(size.width() for size in sizes) - _GAP) / 2
        titles = (self._pair.screen, _("the same") if self._pair.same else "")
        for image, size, title in zip((self._pair.before, self._pair.after), sizes, titles, strict=True):
            caption = QRectF(left, 0, size.width(), _CAPTION - 4).toRect()
            draw_text(painter, caption, title, "caption", "text-2")
            draw_screen_image(painter, QRectF(left, _CAPTION, size.width(), size.height()), image, _RADIUS)
            left += size.width() + _GAP


class VariationPreview(QWidget):
    """Emits ``screens_changed`` when other screens are chosen, or the language or the seed of the phone."""

    screens_changed = Signal()

    def __init__(self) -> None:
        super().__init__()
        self.screens: tuple[str, ...] = FIRST_SCREENS
        self._known: tuple[str, ...] = FIRST_SCREENS
        self.phone_locale, self.seed = FIRST_LOCALE, FIRST_SEED
        self._has_chosen = False
        self.choose = Button(_("Screens"), "phone", small=True, opens=True)
        self.phone = Button("", small=True, opens=True)
        self.phone.setToolTip(_("Language and seed of the phone"))
        self._name = Label("", "code", "text-2", cut=True)
        self._note = Label("", "body", "text-2", wrap=True)
        self._note.setAlignment(Qt.AlignmentFlag.AlignHCenter)
        self._pairs: list[_Pair] = []
        self._rows = QVBoxLayout()
        self._lay_out()
        self.choose.clicked.connect(self._offer)
        self.phone.clicked.connect(self._offer_phone)
        self._name_phone()

    def _lay_out(self) -> None:
        bar = surface("panel", "bottom")
        bar.setFixedHeight(theme.size("device_header"))
        row = QHBoxLayout(bar)
        row.setContentsMargins(12, 0, 8, 0)
        row.setSpacing(8)
        row.addWidget(Label(_("Before and after"), "heading"))
        row.addWidget(self._name, 1)
        row.addWidget(self.phone)
        row.addWidget(self.choose)
        stage = surface("canvas")
        inner = QVBoxLayout(stage)
        inner.setContentsMargins(_MARGIN, _MARGIN, _MARGIN, _MARGIN)
        inner.setSpacing(_GAP)
        inner.addWidget(self._note)
        self._rows.setSpacing(_GAP)
        inner.addLayout(self._rows)
        inner.addStretch(1)
        area = QScrollArea()
        area.setAccessibleName(_("Preview"))
        area.setWidgetResizable(True)
        area.setFrameShape(QScrollArea.Shape.NoFrame)
        area.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        area.setWidget(stage)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addWidget(bar)
        column.addWidget(area, 1)

    @property
    def widest(self) -> int:
        """Pixels of the widest picture that is painted."""
        return math.ceil(_WIDEST * self.devicePixelRatioF())

    def offer_screens(self, names: Sequence[str]) -> None:
        """The screens that can be chosen."""
        self._known = tuple(names)

    def _offer(self) -> None:
        menu = PopupMenu(self)
        for name in self._known:
            action = menu.addAction(name)
            action.setCheckable(True)
            action.setChecked(name in self.screens)
        menu.triggered.connect(self._toggle)
        menu.popup(self.choose.mapToGlobal(self.choose.rect().bottomLeft()))

    def _toggle(self, action: QAction) -> None:
        chosen = {*self.screens} ^ {action.text()}
        self.show_screens(tuple(name for name in self._known if name in chosen))

    def show_screens(self, screens: Sequence[str]) -> None:
        """Choose the screens to draw."""
        self.screens = tuple(screens)
        self.screens_changed.emit()

    # -- the phone -----------------------------------------------------------
    def suggest_phone(self, locale: str, seed: int) -> None:
        """Draw a phone in this language and with this seed, unless a person has chosen one."""
        if not self._has_chosen:
            self._draw_on(locale if locale in LOCALES else FIRST_LOCALE, seed)

    def choose_locale(self, locale: str) -> None:
        """Choose the language as a person does."""
        self._has_chosen = True
        self._draw_on(locale, self.seed)

    def choose_seed(self, seed: int) -> None:
        """Choose the seed as a person does."""
        self._has_chosen = True
        self._draw_on(self.phone_locale, seed)

    def _draw_on(self, locale: str, seed: int) -> None:
        if (locale, seed) != (self.phone_locale, self.seed):
            self.phone_locale, self.seed = locale, seed
            self._name_phone()
            self.screens_changed.emit()

    def _name_phone(self) -> None:
        self.phone.setText(f"{self.phone_locale}, {self.seed}")
        self.phone.setAccessibleName(
            _("Phone: {language}, seed {seed}", language=LOCALES[self.phone_locale], seed=self.seed)
        )

    def _offer_phone(self) -> None:
        menu = PopupMenu(self)
        languages = QActionGroup(menu)
        for locale, name in LOCALES.items():
            action = menu.addAction(name)
            action.setCheckable(True)
            action.setChecked(locale == self.phone_locale)
            action.triggered.connect(partial(self._language_chosen, locale))
            languages.addAction(action)
        menu.addSeparator()
        menu.addAction(_("Seed: {seed}...", seed=self.seed)).triggered.connect(self._ask_seed)
        menu.popup(self.phone.mapToGlobal(self.phone.rect().bottomLeft()))

    def _language_chosen(self, locale: str, _checked: bool) -> None:
        self.choose_locale(locale)

    def _ask_seed(self) -> None:
        ask_number(
            self.phone, _("Seed of the phone"), _("The seed decides what apps hold:"), _SEEDS, self.seed,
            self.choose_seed,
        )  # fmt: skip

    def show_waiting(self) -> None:
        """Say that pictures are being drawn, while there are none."""
        if not self._pairs:
            self._say(_("Drawing..."))

    def show_drawn(self, drawn: DrawnPairs) -> None:
        """Show pictures, or why there are none."""
        while len(self._pairs) > len(drawn.pairs):
            pair = self._pairs.pop()
            pair.hide()
            pair.deleteLater()
        while len(self._pairs) < len(drawn.pairs):
            added = _Pair()
            self._pairs.append(added)
            self._rows.addWidget(added)
        for shown, values in zip(self._pairs, drawn.pairs, strict=True):
            shown.show_pair(values)
        self._name.setText(drawn.name)
        self._name.setToolTip(drawn.name)
        none = "" if drawn.pairs else _("Choose a screen to see it")
        self._say(drawn.problem or none)

    def _say(self, text: str) -> None:
        self._note.setText(text)
        self._note.setVisible(bool(text))
