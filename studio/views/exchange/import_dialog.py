"""The dialog of an import: as which format a source is read, and what it brings before anything changes."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QSize, Signal, Slot
from PySide6.QtWidgets import QHBoxLayout, QVBoxLayout, QWidget

from collector.model.i18n import _
from studio.bridge.project_exchange import ExchangeLook, OfferedFormat, ProjectExchange
from studio.views.exchange.format_list import FormatList
from studio.views.exchange.look_panel import LookPanel
from studio.widgets.controls import Label
from studio.widgets.dialogs.dialog import Dialog

if TYPE_CHECKING:
    from collector.exchange.format import Format

_SIZE, _AROUND = QSize(1000, 600), QSize(40, 40)
_FORMATS_WIDTH, _ABOUT_WIDTH = 270, 240
_AUTO = "auto"
_LOOKED_AT = 8


class ImportDialog(Dialog):
    """Of several sources the first is looked at, and all are imported alike."""

    accepted_with = Signal(list, str)
    """The Paths, and the id of the format or ``auto``."""

    def __init__(
        self, exchange: ProjectExchange, offered: Sequence[OfferedFormat], paths: Sequence[Path],
        parent: QWidget,
    ) -> None:  # fmt: skip
        name = paths[0].name if len(paths) == 1 else _("{count} sources", count=len(paths))
        super().__init__(_("Import {name}", name=name), _("Import"), parent)
        self._exchange, self._paths = exchange, list(paths)
        self._offered = {entry.format.id: entry for entry in offered}
        self.formats = FormatList(offered, first=(_AUTO, _("Recognise it")))
        self.formats.setFixedWidth(_FORMATS_WIDTH)
        self.recognised = Label("", "name", wrap=True)
        self.about = Label("", "caption", "text-2", wrap=True)
        self.missing = Label("", "caption", "warn", wrap=True)
        self.others = Label("", "caption", "text-2", wrap=True)
        self.look = LookPanel()
        self._lay_out()
        self.formats.chosen.connect(self._format_changed)
        self.look.all_asked.connect(self._look_at_all)
        self.finished.connect(self._give_up)
        self.resize(_SIZE.boundedTo(parent.window().size() - _AROUND))
        self._format_changed()
        self.yes.setFocus()

    def _lay_out(self) -> None:
        about = QWidget()
        about.setFixedWidth(_ABOUT_WIDTH)
        column = QVBoxLayout(about)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(6)
        column.addWidget(Label(_("Read as"), "caption", "text-2"))
        for widget in (self.recognised, self.about, self.missing, self.others):
            column.addWidget(widget)
        if len(self._paths) > 1:
            names = "\n".join(path.name for path in self._paths)
            column.addWidget(Label(_("Sources"), "caption", "text-2"))
            column.addWidget(Label(names, "body", wrap=True))
        column.addStretch(1)
        row = QHBoxLayout()
        row.setSpacing(16)
        row.addWidget(self.formats)
        row.addWidget(about)
        row.addWidget(self.look, 1)
        self.body.addLayout(row, 1)

    @Slot()
    def _format_changed(self) -> None:
        entry = self._offered.get(self.formats.current)
        self.others.setText("")
        self.yes.setEnabled(entry is None or not entry.missing)
        if entry is None:
            self.recognised.setText("")
            self.about.setText("")
            self.missing.hide()
        else:
            self._show_format(entry.format)
        if entry is not None and entry.missing:
            self.look.follow(None)
            self.look.count.setText(entry.missing)
        else:
            self._look(_LOOKED_AT)

    def _show_format(self, chosen: Format) -> None:
        self.recognised.setText(_(chosen.title))
        licence = _(chosen.licence) if chosen.licence else ""
        said = _("{files}. It holds: {contents}.", files=_(chosen.files), contents=chosen.contents)
        self.about.setText(f"{said} {licence}".strip())
        missing = self._offered[chosen.id].missing if chosen.id in self._offered else ""
        self.missing.setText(missing)
        self.missing.setVisible(bool(missing))

    def _look(self, most: int | None) -> None:
        job = self._exchange.preview_import(
            self._paths[0], self.formats.current, most, self._show_look, self._show_no_look
        )
        self.look.follow(job)

    @Slot()
    def _look_at_all(self) -> None:
        self._look(None)

    @Slot(object)
    def _show_look(self, look: ExchangeLook) -> None:
        found = look.preview
        self.look.show_look(look)
        self._show_format(found.format)
        sure = [(_(entry.title), share) for entry, share in getattr(found, "recognised", ())]
        if self.formats.current == _AUTO and len(sure) > 1:
            self.others.setText(
                _("It might also be: {names}", names="; ".join(title for title, _share in sure[1:4]))
            )

    @Slot(object)
    def _show_no_look(self, error: Exception) -> None:
        self.look.show_problem(error)
        if self.formats.current == _AUTO:
            self.recognised.setText(_("Not recognised"))

    @Slot()
    def _give_up(self) -> None:
        self.look.give_up()

    @Slot()
    def accept(self) -> None:
        """Emit what is imported."""
        if self.yes.isEnabled():
            self.accepted_with.emit(self._paths, self.formats.current)
            super().accept()
