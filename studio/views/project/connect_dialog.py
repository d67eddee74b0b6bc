"""The dialog that asks for the address of a phone; it offers running virtual phones and earlier addresses."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from PySide6.QtCore import Signal, Slot
from PySide6.QtWidgets import QWidget

from collector.device.transport.address import parse_address
from collector.model.i18n import _
from rule_editor.widgets.combo_box import ComboBox
from studio.widgets.dialogs.dialog import Dialog, show_problem


class ConnectDialog(Dialog):
    """Checks the address before it is accepted."""

    chosen = Signal(str)
    """A valid address, ``host:port`` or a serial."""

    def __init__(self, addresses: Sequence[str], virtual: Mapping[str, str], parent: QWidget) -> None:
        """``virtual`` has the addresses of virtual phones by name and seed, as they run now."""
        super().__init__(
            _("Connect a phone"),
            _("Connect"),
            parent,
            sentence=_(
                "Switch on wireless debugging on the phone, or run `adb tcpip 5555` once over its cable; "
                "both must be in one network"
            ),
            width=440,
        )
        self.field = ComboBox()
        self.field.setEditable(True)
        self._virtual = virtual
        self.field.addItems(
            [*(address for address in addresses if address not in virtual.values()), *virtual]
        )
        self.field.setCurrentIndex(0 if self.field.count() else -1)
        self._problem = self.add_field(_("Address"), self.field)
        editor = self.field.lineEdit()
        assert editor is not None
        editor.setPlaceholderText("192.168.1.20:5555")
        editor.selectAll()
        self.field.editTextChanged.connect(self._edited)
        self.field.setFocus()

    @Slot(str)
    def _edited(self, _text: str) -> None:
        show_problem(self._problem, self.field, "")

    @Slot()
    def accept(self) -> None:
        """Emit the address, or show what is wrong with it."""
        text = self.field.currentText().strip()
        address = self._virtual.get(text, text)
        try:
            parse_address(address)
        except ValueError as error:
            show_problem(self._problem, self.field, str(error))
            return
        self.chosen.emit(address)
        super().accept()
