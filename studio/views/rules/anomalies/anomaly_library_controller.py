"""Add, copy, rename and delete the anomalies of the project's library."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from typing import Any

from PySide6.QtCore import QObject, Slot
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QMenu, QWidget

from collector.anomalies.builtin_library import builtin_library, builtin_library_text
from collector.anomalies.model import CATEGORIES
from collector.model.i18n import language
from collector.model.message import _
from rule_editor.document.anomalies import anomaly_edits as edits
from rule_editor.document.anomalies.anomaly_document import AnomalyDocument
from rule_editor.document.anomalies.anomaly_edits import FORMS
from rule_editor.document.anomalies.anomaly_templates import (
    LANGUAGES,
    TEMPLATES,
    free,
    in_form,
    in_language,
    siblings,
    template,
    words_in,
)
from rule_editor.document.anomalies.project_library import builtin_entries
from rule_editor.widgets.anomaly_form.form import CATEGORY_TITLES
from rule_editor.widgets.menu_text import menu_text
from rule_editor.widgets.popup_menu import PopupMenu
from studio.bridge.project_library import ProjectLibrary
from studio.bridge.review.stored_labels import StoredLabels
from studio.bridge.rules.rule_names import ANOMALY_KIND
from studio.commands.commander import Commander
from studio.views.conditions.popup_menus import add_heading, ask_for_text, open_below
from studio.views.rules.anomalies.anomaly_choices import uses_of
from studio.views.rules.anomalies.anomaly_pane import AnomalyPane
from studio.views.rules.session import RulesSession
from studio.views.rules.task_references import follow_renamed
from studio.widgets.window_frame.toasts import Toasts
from studio.widgets.window_frame.toolbar import Toolbar


class AnomalyLibraryController(QObject):
    """Adds and removes entries of the library, and selects what it added."""

    def __init__(
        self, session: RulesSession, pane: AnomalyPane, project_library: ProjectLibrary, labels: StoredLabels,
        toolbar: Toolbar, commander: Commander, toasts: Toasts, host: QWidget,
    ) -> None:  # fmt: skip
        """``host`` is the parent of dialogs; the menu of new anomalies opens below ``toolbar``."""
        super().__init__(host)
        self._session, self._pane, self._toolbar, self._host = session, pane, toolbar, host
        self._project_library, self._labels = project_library, labels
        self._commander, self._toasts = commander, toasts
        pane.form.renamed.connect(self.rename_to)
        pane.form.language_wanted.connect(self.add_language)
        pane.form.form_wanted.connect(self.add_button_form)
        commander.handle("anomaly.new", self.offer_new)
        commander.handle("anomaly.duplicate", self.duplicate)
        commander.handle("anomaly.rename", lambda: self.rename(session.anomaly_id))
        commander.handle("anomaly.delete", lambda: self.delete(session.anomaly_id))
        commander.handle("anomaly.add-language", self.add_next_language)
        commander.handle("anomaly.add-button-form", self.add_button_form)
        commander.handle("anomaly.solvability", self.check_solvability)

    def check_solvability(self) -> None:
        """Ask in the Project workspace which tasks stay solvable under the selected anomaly."""
        anomaly_id = self._session.anomaly_id  # nothing is selected here once Project is in front
        self._commander.run("view.project")
        self._commander.run("project.solvability", anomaly=anomaly_id)

    # -- adding --------------------------------------------------------------
    def offer_new(self) -> None:
        """Open a menu of templates, and of the built-in anomalies to copy."""
        menu = PopupMenu(self._host)
        self.fill_menu(menu)
        open_below(menu, self._toolbar)

    def fill_menu(self, menu: QMenu) -> None:
        """Add everything that a new anomaly can begin as."""
        tongue = language()[:2] if language()[:2] in LANGUAGES else "en"
        for name, title in TEMPLATES:
            menu.addAction(_(title)).setData(partial(template, name, tongue))
        menu.addSeparator()
        add_heading(menu, _("A copy of a built-in anomaly"))
        builtin, listed = AnomalyDocument(builtin_library_text()), builtin_library()
        for category in CATEGORIES:
            submenu = menu.addMenu(_(CATEGORY_TITLES[category]))
            for anomaly in listed.select(category):
                action = submenu.addAction(menu_text(anomaly.id))
                action.setToolTip(anomaly.description)
                action.setData(partial(builtin.plain, anomaly.id))
            submenu.setToolTipsVisible(True)
        menu.triggered.connect(self._new_chosen)

    def _new_chosen(self, action: QAction) -> None:
        # The data is a function, because Qt would return a mapping with its keys sorted.
        if callable(action.data()):
            self.add(action.data()())

    def add(self, entry: Mapping[str, Any]) -> None:
        """Add an entry behind the selected one, and select it.

        The first library of a project also takes the built-in anomalies that the rules name.
        """
        selected = self._session.anomaly_id

        def add_to(document: AnomalyDocument) -> str:
            with document.group(_("Add {rule}", rule=entry["id"])):
                if not document.text.strip():
                    for used in self._used_builtin_entries():
                        document.add(used)
                new_id = free(str(entry["id"]), document.parsed.by_key)
                document.add({**entry, "id": new_id}, selected)
            return new_id

        if self._add_and_select(add_to):
            self._pane.form.id_field.setFocus()

    @Slot(str)
    def open(self, anomaly_id: str) -> None:
        """Select the anomaly a rule injects; a built-in anomaly is copied into the project first."""
        document = self._session.anomaly_document
        if document is not None and document.anomaly(anomaly_id) is None:
            self._copy_builtin(anomaly_id)
        elif document is not None:
            self._session.select(ANOMALY_KIND, anomaly_id)

    def _copy_builtin(self, anomaly_id: str) -> None:
        used = self._used_builtin_entries()

        def add_to(document: AnomalyDocument) -> str:
            with document.group(_("Add {rule}", rule=anomaly_id)):
                for entry in used:
                    document.add(entry)
            return anomaly_id

        if any(entry["id"] == anomaly_id for entry in used):
            self._add_and_select(add_to)

    def _used_builtin_entries(self) -> list[dict[str, Any]]:
        return builtin_entries(uses_of(self._session.documents.rules))

    def duplicate(self) -> None:
        """Copy the selected anomaly."""
        anomaly_id = self._session.anomaly_id
        self._add_and_select(lambda document: document.duplicate(anomaly_id))

    def _add_and_select(self, add: Callable[[AnomalyDocument], str]) -> bool:
        """Select the anomaly whose id ``add`` returns; False when adding failed."""
        new_ids: list[str] = []
        if not self._session.edit_anomalies(lambda document: new_ids.append(add(document))):
            return False
        self._session.select(ANOMALY_KIND, new_ids[0])
        return True

    # -- renaming and deleting -----------------------------------------------
    def delete(self, anomaly_id: str) -> None:
        """Delete an anomaly; a message offers to undo it."""
        if anomaly_id and self._session.edit_anomalies(lambda document: document.delete(anomaly_id)):
            self._toasts.show(
                "ok",
                _("Deleted {id}", id=anomaly_id),
                action=_("Undo"),
                act=self._session.history.undo,
                for_now=True,
            )

    def rename(self, anomaly_id: str) -> None:
        """Ask for another id."""
        if anomaly_id:
            self._session.select(ANOMALY_KIND, anomaly_id)
            label = _("New id; rules and experiments that name the anomaly follow")
            ask_for_text(self._host, _("Rename anomaly"), label, anomaly_id, self.rename_to)

    @Slot(str)
    def rename_to(self, new_id: str) -> None:
        """Rename the selected anomaly, and in the rules and experiments that name it."""
        old_id, documents = self._session.anomaly_id, self._session.documents
        if new_id != old_id and self._session.edit_anomalies(
            lambda _document: documents.rename_anomaly(old_id, new_id)
        ):
            documents.history.join(
                follow_renamed(self._project_library, self._labels, ANOMALY_KIND, old_id, new_id)
            )
            self._session.select(ANOMALY_KIND, new_id)

    # -- siblings of a family ------------------------------------------------
    def add_next_language(self) -> None:
        """Copy the anomaly in the next language that its family does not have."""
        anomaly, document = self._session.anomaly, self._session.anomaly_document
        if anomaly is None or document is None:
            return
        present = {sibling.language for sibling in siblings(anomaly, document.library.anomalies)}
        missing = next((tongue for tongue in LANGUAGES if tongue not in present), None)
        if missing is not None:
            self.add_language(missing)
        else:
            self._toasts.show("info", _("{family} is there in every language", family=anomaly.family))

    @Slot(str)
    def add_language(self, tongue: str) -> None:
        """Copy the anomaly in another language; its words are still to be translated."""
        anomaly_id = self._session.anomaly_id

        def add_to(document: AnomalyDocument) -> str:
            sibling = in_language(anomaly_id, document.plain(anomaly_id), tongue, document.parsed.by_key)
            document.add(sibling, anomaly_id)
            return str(sibling["id"])

        self._add_sibling(add_to)

    @Slot()
    def add_button_form(self) -> None:
        """Copy the anomaly with one button instead of two, or with two instead of one."""
        anomaly = self._session.anomaly
        if anomaly is None or anomaly.activity not in FORMS.values():
            return
        buttons = 2 if anomaly.activity == FORMS[1] else 1
        words = words_in(anomaly.language)

        def add_to(document: AnomalyDocument) -> str:
            sibling = in_form(anomaly.id, document.plain(anomaly.id), buttons, document.parsed.by_key)
            document.add(sibling, anomaly.id)
            document.change(sibling["id"], lambda piece: edits.set_activity(piece, FORMS[buttons], words))
            return str(sibling["id"])

        self._add_sibling(add_to)

    def _add_sibling(self, add: Callable[[AnomalyDocument], str]) -> None:
        anomaly_id = self._session.anomaly_id

        def add_to(document: AnomalyDocument) -> str:
            with document.group(_("Add a form of {rule}", rule=anomaly_id)):
                anomaly = document.anomaly(anomaly_id)
                if anomaly is not None and "family" not in document.plain(anomaly_id):
                    family = anomaly.family
                    document.change(anomaly_id, lambda piece: edits.set_field(piece, "family", family))
                return add(document)

        self._add_and_select(add_to)
