"""What the commands, the form and the YAML do to the project's library of anomalies."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QObject, Slot
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QInputDialog, QMenu

from collector.anomalies.builtin_library import builtin_library_text
from collector.anomalies.model import CATEGORIES
from collector.located_yaml.diagnostics import QuickFix
from collector.model.errors import UserError
from collector.model.i18n import _, language
from rule_editor.document.anomalies import anomaly_edits as edits
from rule_editor.document.anomalies.anomaly_document import AnomalyDocument, AnomalyEdit
from rule_editor.document.anomalies.anomaly_edits import FORMS, ONE_BUTTON
from rule_editor.document.anomalies.anomaly_templates import (
    CHANGE,
    LANGUAGES,
    TEMPLATES,
    free,
    in_form,
    in_language,
    siblings,
    template,
    words_in,
)
from rule_editor.document.yaml_patch.patch import YamlPatch
from rule_editor.widgets.anomaly_form.form import CATEGORY_WORDS
from rule_editor.widgets.menu_text import menu_text
from studio.views.rules.list_entries import GROUP, uses_of
from studio.views.rules.quick_fixes import offer_quick_fixes

if TYPE_CHECKING:
    from studio.views.rules.anomaly_presenter import AnomalyDesk
    from studio.views.rules.workspace import RulesWorkspace

_TYPING = "typing"


class AnomalyDeeds(QObject):
    """Every change goes to the library's document. Errors become a message."""

    def __init__(self, desk: AnomalyDesk, home: RulesWorkspace) -> None:
        super().__init__(desk)
        self._desk, self._home, self._shell = desk, home, home.shell
        self._refused: dict[str, Mapping[str, Any]] = {}
        """By anomaly that was given one button: the entry as it was with two, whose words come back."""
        handle = self._shell.commander.handle
        handle("anomaly.new", self.offer_new)
        handle("anomaly.duplicate", self.duplicate)
        handle("anomaly.rename", lambda: self.rename(desk.shown))
        handle("anomaly.delete", lambda: self.delete(desk.shown))
        handle("anomaly.toggle-buttons", self.switch_buttons)
        handle("anomaly.add-language", self.offer_language)
        handle("anomaly.add-button-form", self.add_form)
        handle("anomaly.toggle-dark", desk.preview.switch)
        handle("anomaly.solvability", self.survey)

    def survey(self) -> None:
        """Ask in Project which tasks stay solvable under the anomaly on show."""
        anomaly = self._desk.shown  # Project comes to the front, and nothing here is on show any more
        self._shell.commander.run("view.project")
        self._shell.commander.run("project.solvability", anomaly=anomaly)

    # -- edits ---------------------------------------------------------------
    def _try(self, deed: Callable[[AnomalyDocument], object]) -> bool:
        """Do something to the document; False when it could not be done, which has been told."""
        document = self._desk.document
        if document is None:
            return False
        try:
            deed(document)
        except UserError as error:
            self._shell.toasts.show_error(error)
            self._desk.show(follow=False)
            return False
        return True

    @Slot(object)
    def edit(self, change: AnomalyEdit) -> None:
        """Change the entry on show."""
        shown = self._desk.shown
        self._try(lambda document: document.change(shown, change))

    @Slot(int, int, str)
    def type_text(self, start: int, end: int, text: str) -> None:
        self._try(lambda document: document.replace(start, end, text, merge_key=_TYPING))

    @Slot(object)
    def apply_fix(self, fix: QuickFix) -> None:
        self._try(lambda document: document.apply_fix(fix))

    def fix(self) -> None:
        """The fix of the cursor's line, else the first the anomaly has."""
        offer_quick_fixes(self._desk.pane.yaml, self._desk.found_of(self._desk.shown), self._shell.toasts)

    @Slot(str)
    def set_kind(self, kind: str) -> None:
        anomaly = self._desk.anomaly
        if anomaly is not None:
            words = words_in(anomaly.language)
            self.edit(lambda piece: edits.set_kind(piece, kind, template(CHANGE), words))

    @Slot(str)
    def set_activity(self, activity: str) -> None:
        """Another dialog; the button that one button left away comes back with two."""
        anomaly = self._desk.anomaly
        if anomaly is None or self._desk.document is None:
            return
        words = words_in(anomaly.language)
        if activity == ONE_BUTTON:
            self._refused[anomaly.id] = self._desk.document.plain(anomaly.id)
        before = self._refused.get(anomaly.id, {}) if activity != ONE_BUTTON else {}

        def change(piece: YamlPatch) -> None:
            edits.set_activity(piece, activity, words)
            edits.restore(piece, before, "deny")

        self.edit(change)

    def switch_buttons(self) -> None:
        """One button becomes two, two become one."""
        anomaly = self._desk.anomaly
        if anomaly is not None:
            self.set_activity(FORMS[2] if anomaly.activity == FORMS[1] else FORMS[1])

    # -- entries ---------------------------------------------------------------
    def offer_new(self) -> None:
        """Ask for a template, or for one of the studio's own anomalies to copy."""
        menu = QMenu(self._home)
        menu.aboutToHide.connect(menu.deleteLater)
        self.fill_menu(menu)
        bar = self._home.toolbar
        menu.popup(bar.mapToGlobal(bar.rect().bottomLeft()))

    def fill_menu(self, menu: QMenu) -> None:
        """What a new anomaly can begin as."""
        tongue = language()[:2] if language()[:2] in LANGUAGES else "en"
        for name, title in TEMPLATES:
            menu.addAction(_(title)).setData(partial(template, name, tongue))
        menu.addSeparator()
        menu.addAction(_("A copy of the studio's own")).setEnabled(False)
        own = AnomalyDocument(builtin_library_text())
        for category in CATEGORIES:
            below = menu.addMenu(_(CATEGORY_WORDS[category]))
            for one in own.library.select(category):
                action = below.addAction(menu_text(one.id))
                action.setToolTip(one.description)
                action.setData(partial(own.plain, one.id))
            below.setToolTipsVisible(True)
        menu.triggered.connect(self._new_chosen)

    def _new_chosen(self, action: QAction) -> None:
        # A function and not the entry itself: Qt would hand a mapping back with its keys sorted.
        if callable(action.data()):
            self.add(action.data()())

    def add(self, plain: Mapping[str, Any]) -> None:
        """Add an entry behind the one on show, and show it.

        A project's first library takes in what its rules name: they were offered the studio's own until now.
        """
        made: list[str] = []

        def deed(document: AnomalyDocument) -> None:
            with document.group(_("Add {rule}", rule=plain["id"])):
                if not document.text.strip():
                    for one in self._named_of_own():
                        document.add(one)
                new_id = free(str(plain["id"]), document.parsed.by_key)
                document.add({**plain, "id": new_id}, self._desk.shown)
                made.append(new_id)

        if self._try(deed):
            self._home.show_rule(GROUP, made[0])
            self._desk.pane.form.id_field.setFocus()

    def take_own(self, anomaly_id: str) -> None:
        """Copy one of the studio's own into a project that has no library, to edit it there."""
        named = [dict(one) for one in self._named_of_own()]

        def deed(document: AnomalyDocument) -> None:
            with document.group(_("Add {rule}", rule=anomaly_id)):
                for one in named:
                    document.add(one)

        if any(one["id"] == anomaly_id for one in named) and self._try(deed):
            self._home.show_rule(GROUP, anomaly_id)

    def _named_of_own(self) -> list[Mapping[str, Any]]:
        uses, own = uses_of(self._home.book.rules), AnomalyDocument(builtin_library_text())
        return [own.plain(anomaly.id) for anomaly in own.library.anomalies if anomaly.id in uses]

    def duplicate(self) -> None:
        made: list[str] = []
        shown = self._desk.shown
        if self._try(lambda document: made.append(document.duplicate(shown))):
            self._home.show_rule(GROUP, made[0])

    def delete(self, anomaly_id: str) -> None:
        """Take an entry out; a message has the undo."""
        if anomaly_id and self._try(lambda document: document.delete(anomaly_id)):
            undo = self._home.deeds.undo
            self._shell.toasts.show("ok", _("Deleted {id}", id=anomaly_id), action=_("Undo"), act=undo)

    def rename(self, anomaly_id: str) -> None:
        """Ask for another id."""
        if not anomaly_id:
            return
        self._home.show_rule(GROUP, anomaly_id)
        dialog = QInputDialog(self._home)
        dialog.setWindowTitle(_("Rename anomaly"))
        dialog.setLabelText(_("New id; rules that inject the anomaly follow"))
        dialog.setTextValue(anomaly_id)
        dialog.textValueSelected.connect(self.rename_to)
        dialog.finished.connect(dialog.deleteLater)
        dialog.open()

    @Slot(str)
    def rename_to(self, new_id: str) -> None:
        old = self._desk.shown
        if new_id == old:
            return
        if self._try(lambda _document: self._home.book.rename_anomaly(old, new_id)):
            self._home.show_rule(GROUP, new_id)

    # -- siblings --------------------------------------------------------------
    def offer_language(self) -> None:
        """Make the anomaly in the next language its family has not."""
        anomaly, document = self._desk.anomaly, self._desk.document
        if anomaly is None or document is None:
            return
        there = {sibling.language for sibling in siblings(anomaly, document.library.anomalies)}
        missing = [one for one in LANGUAGES if one not in there]
        if missing:
            self.add_language(missing[0])
        else:
            self._shell.toasts.show("info", _("{family} is there in every language", family=anomaly.family))

    @Slot(str)
    def add_language(self, tongue: str) -> None:
        """A copy in another language, its words still to be translated."""
        shown = self._desk.shown

        def made(document: AnomalyDocument) -> str:
            new = in_language(shown, document.plain(shown), tongue, document.parsed.by_key)
            document.add(new, shown)
            return str(new["id"])

        self._add_sibling(made)

    @Slot()
    def add_form(self) -> None:
        """A copy with one button instead of two, or with two."""
        anomaly = self._desk.anomaly
        if anomaly is None or anomaly.activity not in FORMS.values():
            return
        buttons = 2 if anomaly.activity == FORMS[1] else 1
        words = words_in(anomaly.language)

        def made(document: AnomalyDocument) -> str:
            new = in_form(anomaly.id, document.plain(anomaly.id), buttons, document.parsed.by_key)
            document.add(new, anomaly.id)
            change = lambda piece: edits.set_activity(piece, FORMS[buttons], words)  # noqa: E731
            document.change(new["id"], change)
            return str(new["id"])

        self._add_sibling(made)

    def _add_sibling(self, make: Callable[[AnomalyDocument], str]) -> None:
        made: list[str] = []
        shown = self._desk.shown

        def deed(document: AnomalyDocument) -> None:
            with document.group(_("Add a form of {rule}", rule=shown)):
                anomaly = document.anomaly(shown)
                if anomaly is not None and "family" not in document.plain(shown):
                    family = anomaly.family
                    document.change(shown, lambda piece: edits.set_field(piece, "family", family))
                made.append(make(document))

        if self._try(deed):
            self._home.show_rule(GROUP, made[0])
