"""The verdicts of a check as rows, and whether the phone is as it was."""

from __future__ import annotations

from collections.abc import Iterable

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QHBoxLayout, QVBoxLayout, QWidget

from collector.device_check.result_names import setting_name, workspace_name
from collector.device_check.results import DeviceCheckResults
from collector.model.i18n import _, ngettext
from collector.model.phone.quirks import known_quirks
from studio.views.project.icon_line import StateIcon
from studio.widgets.controls import Label

_MOST_LIMITS = 4


class VerdictRows(QWidget):
    """What the phone is good for, and what is not as it was before."""

    def __init__(self, results: DeviceCheckResults) -> None:
        super().__init__()
        self._column = QVBoxLayout(self)
        self._column.setContentsMargins(0, 0, 0, 8)
        self._column.setSpacing(6)
        if results.end:
            self._add("state-warn", results.end, ())
        for verdict in results.verdicts:
            name = workspace_name(verdict.workspace)
            said = _("{name} works", name=name) if verdict.works else _("{name} does not work", name=name)
            icon = "state-ok" if verdict.works else "state-err"
            self._add(icon if not verdict.limits or not verdict.works else "state-warn", said, verdict.limits)
        for quirk in known_quirks(results.quirks):
            self._add("state-warn", quirk.title, (quirk.effect, quirk.mend))
        if results.unrestored:
            self._add("state-err", _("Not everything is as it was before"), results.unrestored)
        else:
            self._add("state-ok", _("The phone is as it was before"), ())
        if results.settings:
            suits = [f"{setting_name(name)}: {value}" for name, value in results.settings.items()]
            self._add("state-info", _("Settings that suit it"), suits)

    def _add(self, icon: str, said: str, below: Iterable[str]) -> None:
        texts = QVBoxLayout()
        texts.setSpacing(1)
        texts.addWidget(Label(said, "name", wrap=True))
        lines = tuple(below)
        shown = lines[:_MOST_LIMITS]
        if len(lines) > len(shown):
            more = ngettext(
                "{count} more is in the report", "{count} more are in the report", len(lines) - len(shown)
            )
            shown = (*shown, more)
        for line in shown:
            texts.addWidget(Label(line, "caption", "text-2", wrap=True))
        row = QHBoxLayout()
        row.setSpacing(8)
        row.addWidget(StateIcon(icon), alignment=Qt.AlignmentFlag.AlignTop)
        row.addLayout(texts, 1)
        self._column.addLayout(row)
