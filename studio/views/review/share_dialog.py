"""The dialog that asks in which format trajectories are shared, and how it looks."""

from __future__ import annotations

from PySide6.QtCore import Signal, Slot
from PySide6.QtWidgets import QComboBox, QDoubleSpinBox, QWidget

from collector.model.i18n import _
from collector.sharing.export_options import FIXED, RECORDED, ExportOptions
from collector.sharing.exports import FORMATS
from collector.sharing.frame_colors import Theme
from studio.theme import theme
from studio.widgets.controls import Label, SegmentedControl
from studio.widgets.dialog import Dialog


class ShareDialog(Dialog):
    """Emits the name of a format and the :class:`ExportOptions` when it is accepted."""

    chosen = Signal(str, object)

    def __init__(self, parent: QWidget, count: int) -> None:
        """``count`` trajectories are shared."""
        sentence = _("Texts and pixels of password fields are left out. Nothing is sent anywhere.")
        super().__init__(
            _("Share {count} trajectories", count=count) if count > 1 else _("Share the trajectory"),
            _("Choose a file..."), parent, sentence=sentence,
        )  # fmt: skip
        self.form = QComboBox()
        for each in FORMATS.values():
            self.form.addItem(_(each.title), each.name)
        self.look = SegmentedControl([("dark", _("Dark"), ""), ("light", _("Light"), "")])
        self.look.set_current(theme.scheme)
        self.timing = SegmentedControl([(RECORDED, _("As recorded"), ""), (FIXED, _("Fixed"), "")])
        self.timing.set_current(RECORDED)
        self.seconds = QDoubleSpinBox()
        self.seconds.setRange(0.1, 60)
        self.seconds.setSingleStep(0.5)
        self.seconds.setValue(1.5)
        self.seconds.setSuffix(_(" s a step"))
        self.add_field(_("Format"), self.form)
        self._look_title = Label(_("Colours"), "caption", "text-2")
        self._timing_title = Label(_("Timing"), "caption", "text-2")
        for widget in (self._look_title, self.look, self._timing_title, self.timing, self.seconds):
            self.body.addWidget(widget)
        self.form.currentIndexChanged.connect(self._show_options)
        self.timing.chosen.connect(self._show_options)
        self._show_options()

    @Slot()
    def _show_options(self) -> None:
        """Offer what matters to the chosen format."""
        form = FORMATS[self.form.currentData()]
        for widget in (self._look_title, self.look):
            widget.setVisible(form.has_theme)
        for widget in (self._timing_title, self.timing):
            widget.setVisible(form.is_moving)
        self.seconds.setVisible(form.is_moving and self.timing.current == FIXED)

    @Slot()
    def accept(self) -> None:
        """Emit what was chosen."""
        look: Theme = "light" if self.look.current == "light" else "dark"
        options = ExportOptions(look, self.timing.current, self.seconds.value())
        self.chosen.emit(self.form.currentData(), options)
        super().accept()
