"""The anomaly on show in the Rules workspace: its form, its YAML, its preview, and its place in the list."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Slot

from collector.anomalies.model import NATIVE, Anomaly
from collector.located_yaml.diagnostics import Diagnostic, Severity
from collector.model.i18n import _, ngettext
from collector.store.layout import LIBRARY_FILE
from rule_editor.document.anomalies.anomaly_document import AnomalyDocument
from rule_editor.document.anomalies.anomaly_templates import is_form
from rule_editor.widgets.anomaly_form.form_sections import section_of
from rule_editor.widgets.rule_list import RuleListEntry, RuleState
from studio.views.rules.anomaly_library_controller import AnomalyDeeds
from studio.views.rules.anomaly_pane import AnomalyPane
from studio.views.rules.anomaly_preview_pane import AnomalyPreviewPane
from studio.views.rules.kit import STUDIO_KIT
from studio.views.rules.list_entries import GROUP, entry_of_anomaly, group_of, groups_of, uses_of
from studio.views.rules.rule_diagnostics import tally

if TYPE_CHECKING:
    from studio.views.rules.workspace import RulesWorkspace


class AnomalyDesk(QObject):
    """``pane`` and ``preview`` stand where a rule and the screen stand, while an anomaly is on show."""

    def __init__(self, home: RulesWorkspace) -> None:
        super().__init__(home)
        self._home = home
        self.pane = AnomalyPane(STUDIO_KIT)
        self.preview = AnomalyPreviewPane(home.shell.previews)
        self.deeds = AnomalyDeeds(self, home)
        self._connect()

    def _connect(self) -> None:
        deeds, form, yaml = self.deeds, self.pane.form, self.pane.yaml
        form.edit_wanted.connect(deeds.edit)
        form.renamed.connect(deeds.rename_to)
        form.kind_wanted.connect(deeds.set_kind)
        form.activity_wanted.connect(deeds.set_activity)
        form.shown_wanted.connect(self._show_other)
        form.language_wanted.connect(deeds.add_language)
        form.form_wanted.connect(deeds.add_form)
        form.fix_chosen.connect(deeds.apply_fix)
        form.drafted.connect(self._drafted)
        yaml.typed.connect(deeds.type_text)
        yaml.fix_chosen.connect(deeds.apply_fix)
        yaml.moved.connect(self._cursor_moved)

    # -- what is known -------------------------------------------------------
    @property
    def document(self) -> AnomalyDocument | None:
        """The project's library."""
        return self._home.book.anomalies

    @property
    def shown(self) -> str:
        """Id of the anomaly on show; empty when a rule is."""
        return self._home.rule_id if self._home.kind == GROUP else ""

    @property
    def anomaly(self) -> Anomaly | None:
        """The anomaly on show as it is now."""
        document = self.document
        return document.anomaly(self.shown) if document is not None and self.shown else None

    def found_of(self, anomaly_id: str) -> list[Diagnostic]:
        """What is wrong with an anomaly, wherever that is known from."""
        document = self.document
        if document is None:
            return []
        every = self._home.findings.of(document)
        return [one for one in every if (one.rule_id or document.anomaly_at(one.place.start)) == anomaly_id]

    @property
    def unread(self) -> list[Diagnostic]:
        """Why the whole library cannot be read; empty when an anomaly can, or there is no text."""
        document = self.document
        if document is None or any(anomaly.id for anomaly in document.library.anomalies):
            return []
        found = self._home.findings.of(document)
        return [one for one in found if one.severity is Severity.ERROR] if document.text.strip() else []

    def groups(self) -> list[tuple[str, str]]:
        """Groups of the list."""
        if self.unread:
            return [(group_of(""), _("Anomalies"))]
        return groups_of(self.document.library) if self.document is not None else []

    def entries(self) -> list[RuleListEntry]:
        """Every anomaly of the library as the list shows it."""
        document = self.document
        if document is None:
            return []
        if unread := self.unread:  # its file stands there, so that it can be mended
            return [
                RuleListEntry(Path(LIBRARY_FILE).name, group_of(""), RuleState.ERROR, "", unread[0].sentence)
            ]
        found: dict[str, list[Diagnostic]] = {}
        for one in self._home.findings.of(document):
            found.setdefault(one.rule_id or document.anomaly_at(one.place.start), []).append(one)
        uses = uses_of(self._home.book.rules)
        named = [anomaly for anomaly in document.library.anomalies if anomaly.id]
        return [entry_of_anomaly(one, found.get(one.id, ()), uses) for one in named]

    # -- what is shown -------------------------------------------------------
    def show(self, *, follow: bool) -> None:
        """Put the anomaly on show into form, YAML and preview; ``follow`` moves the YAML's cursor."""
        document = self.document
        if document is None:
            return
        self.pane.show_content(any_rule=True)
        self.pane.yaml.set_text(document.text)
        place = document.place_of(self.shown) or next((one.place for one in self.unread), None)
        if follow and place is not None:
            self.pane.yaml.go_to(max(place.start, place.end - 1))  # so that all of it is in view
            self.pane.yaml.go_to(place.start)
            self.pane.yaml.horizontalScrollBar().setValue(0)
        self.renew()

    def renew(self) -> None:
        """The anomaly has other values, or others share its family now."""
        document, anomaly = self.document, self.anomaly
        if document is None:
            return
        native = anomaly is not None and anomaly.kind == NATIVE
        plain = document.plain(self.shown) if native else {}  # a dialog shows nothing the model has not
        self.pane.form.show_anomaly(anomaly, plain, document.library.anomalies)
        self.preview.show_anomaly(anomaly)
        self.show_found()

    def show_found(self) -> None:
        """Say what is wrong: in the YAML, beside the fields and at the head."""
        document, anomaly = self.document, self.anomaly
        if document is None:
            return
        self.pane.yaml.set_diagnostics(self._home.findings.of(document))
        found = self.found_of(self.shown) if anomaly is not None else []
        self.pane.form.show_found(
            [(section_of(anomaly, document.path_of(anomaly.id, one.place)), one) for one in found]
            if anomaly is not None
            else []
        )
        self._show_head(anomaly, found)

    def _show_head(self, anomaly: Anomaly | None, found: Sequence[Diagnostic]) -> None:
        if anomaly is None:
            unread = self.unread
            state = RuleState.ERROR if unread else RuleState.CLEAN
            self.pane.show_head(Path(LIBRARY_FILE).name if unread else "", state, *tally(unread))
            self.pane.show_fact("")
            return
        uses = uses_of(self._home.book.rules)
        self.pane.show_head(anomaly.id, entry_of_anomaly(anomaly, found, uses).state, *tally(found))
        count = uses.get(anomaly.id, 0)
        self.pane.show_fact(ngettext("one rule", "{count} rules", count) if count else _("no rule"))

    def document_changed(self) -> None:
        """The text is another one; an anomaly that is gone gives its place to what stands there now."""
        document = self.document
        if document is None or self._home.kind != GROUP:
            return
        self.pane.yaml.set_text(document.text)
        if document.anomaly(self.shown) is None:
            first = document.library.anomalies[0].id if document.library.anomalies else ""
            if at := document.anomaly_at(self.pane.yaml.offset) or first:
                self._home.show_rule(GROUP, at, follow=False)
            elif self.unread:  # half typed: whoever types goes on typing
                self._home.show_rule(GROUP, Path(LIBRARY_FILE).name, follow=False)
            else:
                self._home.show_first()
        else:
            self.renew()

    def context(self) -> dict[str, bool]:
        """What the commands about anomalies ask for."""
        anomaly = self.anomaly
        return {
            "anomalies__open": self.document is not None,
            "anomaly__selected": anomaly is not None,
            "anomaly__dialog": anomaly is not None and bool(anomaly.activity),
            "anomaly__form": anomaly is not None and is_form(anomaly),
        }

    # -- what people do --------------------------------------------------------
    @Slot(str)
    def open(self, anomaly_id: str) -> None:
        """Edit the anomaly a rule injects; one of the studio's own becomes the project's first."""
        document = self.document
        if document is not None and document.anomaly(anomaly_id) is None:
            self.deeds.take_own(anomaly_id)
        elif document is not None:
            self._home.show_rule(GROUP, anomaly_id)

    @Slot(str)
    def _show_other(self, anomaly_id: str) -> None:
        self._home.show_rule(GROUP, anomaly_id)

    @Slot()
    def _drafted(self) -> None:
        self.preview.show_draft(self.pane.form.draft)

    @Slot(int)
    def _cursor_moved(self, offset: int) -> None:
        document = self.document
        if document is None or not self.pane.yaml.hasFocus():
            return
        at = document.anomaly_at(offset)
        if at and at != self.shown:
            self._home.show_rule(GROUP, at, follow=False)
