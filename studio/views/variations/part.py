"""The parts of the tab Variations, connected: list, preview, pane and session."""

from __future__ import annotations

from PySide6.QtCore import QObject, Qt, QTimer, Slot
from PySide6.QtWidgets import QWidget

from collector.located_yaml.diagnostics import QuickFix, Severity
from collector.model.i18n import _
from collector.variations.content_types import content_apps
from rule_editor.document.variations.variation_document import VariationDocument
from rule_editor.widgets.rule_list import RuleState
from rule_editor.widgets.variation_form.form import ValueChange
from rule_editor.widgets.variation_form.list_fields import EntriesChange
from studio.bridge.variations.pictures import DrawnPairs, PictureRequest, edited_texts
from studio.views.conditions.studio_toolkit import STUDIO_TOOLKIT
from studio.views.services import WindowServices
from studio.views.variations.preview_pane import VariationPreview
from studio.views.variations.session import VariationSession
from studio.views.variations.variation_list import VariationList
from studio.views.variations.variation_pane import VariationPane
from studio.widgets.window_frame.panel_splitter import PanelSplitter

_TYPING_MS = 250
_PREVIEW, _PANE = 400, 560
_NARROW = 260
_TYPING = "typing"


class VariationsPart(QObject):
    """The list for the left panel, the centre, and what connects them. Draws only while it is shown."""

    def __init__(self, services: WindowServices, parent: QWidget) -> None:
        super().__init__(parent)
        self.pictures, self._commander = services.variation_pictures, services.commander
        self._settings = services.settings
        self.session = VariationSession(services.project_library, services.tasks, self)
        self.list, self.preview = VariationList(), VariationPreview()
        self.pane = VariationPane(STUDIO_TOOLKIT, content_apps())
        self.centre = PanelSplitter(Qt.Orientation.Horizontal)
        self.preview.setMinimumWidth(_NARROW)
        self.centre.addWidget(self.preview)
        self.centre.addWidget(self.pane)
        self.centre.setSizes([_PREVIEW, _PANE])
        self.centre.setStretchFactor(0, 1)
        self.centre.setStretchFactor(1, 2)
        self._is_shown = self._has_screens = False
        self._asking = QTimer(self, singleShot=True, interval=_TYPING_MS)
        self._asking.timeout.connect(self._ask)
        self._connect(services)
        self._show_text()

    def _connect(self, services: WindowServices) -> None:
        session, pane = self.session, self.pane
        session.listed.connect(self._show_list)
        session.selected.connect(self._show_selected)
        session.text_changed.connect(self._show_text)
        session.ticked_changed.connect(self._show_ticked)
        session.failed.connect(services.toasts.show_error)
        services.project_library.opened.connect(self._suggest_phone)
        self.list.chosen.connect(self._choose)
        self.list.tick_wanted.connect(session.tick)
        self.list.untick_wanted.connect(session.untick_all)
        self.list.add_wanted.connect(session.add)
        self.preview.screens_changed.connect(self._asking.start)
        self.pictures.drawn.connect(self._show_drawn)
        pane.form.changed.connect(self._set_value)
        pane.form.field_changed.connect(self._set_field)
        pane.form.entries_changed.connect(self._set_entries)
        pane.yaml.typed.connect(self._type)
        pane.yaml.fix_chosen.connect(self._fix)

    def show_part(self, shown: bool) -> None:
        """Begin to draw when the tab is opened."""
        self._is_shown = shown
        if shown and not self._has_screens:
            self._has_screens = True
            self.pictures.list_screens(self.preview.offer_screens)
            self.session.open()
            self._suggest_phone()
        if shown:
            self._asking.start()
        self._show_context()

    @Slot()
    def _suggest_phone(self) -> None:
        """Draw the phone in the language of the project, else of new phones, until a person chooses."""
        settings = self._settings
        self.preview.suggest_phone(
            self.session.language or str(settings["virtual.locale"]), int(settings["virtual.seed"])
        )

    def _show_context(self) -> None:
        """Tell the commands what they can work on."""
        self._commander.set_context(
            variations__shown=self._is_shown and self.session.folder is not None,
            variation__own=self._is_shown and self.session.can_edit,
        )

    # -- what is shown -------------------------------------------------------------
    @Slot()
    def _show_list(self) -> None:
        self.list.show_entries(self.session.entries)
        self.list.add.setEnabled(not self.session.is_read_only)
        self.list.show_selected(self.session.name)
        self._show_ticked()

    @Slot(str)
    def _choose(self, name: str) -> None:
        self.pane.form.finish_typing()
        self.session.select(name)

    @Slot()
    def _show_selected(self) -> None:
        self.list.show_selected(self.session.name)
        self._show_text()

    @Slot()
    def _show_text(self) -> None:
        self._show_context()
        session, pane = self.session, self.pane
        document, entry = session.document, session.entry
        pane.show_content(any_rule=document is not None)
        pane.set_read_only(not session.can_edit)
        pane.form.show_document(document, [entry.name for entry in session.entries])
        if document is None or entry is None:
            pane.show_head("", RuleState.CLEAN, 0, 0)
            return
        pane.yaml.set_text(document.text)
        found = document.read.diagnostics
        pane.yaml.set_diagnostics(found)
        errors = sum(item.severity is Severity.ERROR for item in found)
        state = RuleState.ERROR if errors else RuleState.CLEAN
        pane.show_head(entry.name, state, errors, len(found) - errors)
        pane.show_fact(_("built in: copy it with + to change it") if entry.is_built_in else "")
        self._asking.start()

    @Slot()
    def _show_ticked(self) -> None:
        self.list.show_ticked(self.session.ticked)
        self._asking.start()

    # -- the preview -----------------------------------------------------------------
    @Slot()
    def _ask(self) -> None:
        if not self._is_shown:
            return
        session = self.session
        texts = edited_texts(session.texts)
        self.preview.show_waiting()
        self.pictures.request(
            PictureRequest(
                session.folder,
                texts,
                session.combination,
                self.preview.screens,
                self.preview.phone_locale,
                self.preview.seed,
                self.preview.widest,
            )
        )

    @Slot(object)
    def _show_drawn(self, drawn: DrawnPairs) -> None:
        self.preview.show_drawn(drawn)
        self.list.show_combination(drawn.name or self.session.combination, drawn.problem)

    # -- edits -----------------------------------------------------------------------
    @Slot(object)
    def _set_value(self, change: ValueChange) -> None:
        self.session.edit(
            lambda document: document.set_value(change.factor, change.app, change.key, change.value)
        )

    @Slot(object)
    def _set_entries(self, change: EntriesChange) -> None:
        self.session.edit(lambda document: document.set_entries(change.path, change.entries))

    @Slot(str, str)
    def _set_field(self, key: str, text: str) -> None:
        self.session.edit(lambda document: document.set_field(key, text))

    @Slot(int, int, str)
    def _type(self, start: int, end: int, text: str) -> None:
        def change(document: VariationDocument) -> None:
            document.replace(start, end, text, merge_key=_TYPING)

        self.session.edit(change)

    @Slot(object)
    def _fix(self, fix: QuickFix) -> None:
        self.session.edit(lambda document: document.apply_fix(fix))
