"""The selected essential state: its sentence, its conditions with live ticks, and what it comes after."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

from PySide6.QtCore import QPoint, Slot
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QVBoxLayout, QWidget

from collector.model.essential_state import AGREED, AUDITED, PROPOSED
from collector.model.i18n import N_, _
from collector.rules.evaluation.explanation import reason
from collector.rules.grammar.model import Rule
from rule_editor.document.rules.condition_slots import ConditionPath
from rule_editor.widgets.menu_text import menu_text
from rule_editor.widgets.popup_menu import PopupMenu
from rule_editor.widgets.rule_form.condition_paths import negated, proof_at, walk
from rule_editor.widgets.yaml_view.line_annotations import ClauseTick
from studio.views.conditions.condition_starters import condition_starters
from studio.views.conditions.popup_menus import open_below
from studio.views.services import WindowServices
from studio.views.states.essential_state_view import EssentialStateView
from studio.views.states.graph.graph_cards import standing_of
from studio.views.states.session import StatesSession
from studio.views.states.state_chips import StateChips
from studio.views.states.state_edits import StateEdits
from studio.widgets.state_graph.layout import GraphState, closes_circle

_STATUSES = {PROPOSED: N_("proposed"), AGREED: N_("agreed"), AUDITED: N_("audited")}
_TYPING = "typing"


class EssentialStateTab(QWidget):
    """Shows the selected state, and turns what is done in the form into edits of its document."""

    def __init__(self, session: StatesSession, services: WindowServices) -> None:
        super().__init__()
        self._session, self._services = session, services
        self._edits = StateEdits(session)
        self._shown_id = ""
        self.view = EssentialStateView()
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.addWidget(self.view)
        self._connect_session()
        self._connect_form()

    def _connect_session(self) -> None:
        session = self._session
        for signal in (session.state_selected, session.states_changed, session.edit_refused):
            signal.connect(self._show)
        for signal in (session.reach_changed, session.trajectory_changed):
            signal.connect(self._show_standing)
        session.trajectory_changed.connect(self._show)
        session.proof_changed.connect(self._show_proof)
        session.condition_chosen.connect(self._show_chosen)
        session.project_opened.connect(self._show_access)

    def _connect_form(self) -> None:
        view, form = self.view, self.view.form
        view.sentence.edited.connect(self._write_sentence)
        view.optional.clicked.connect(self._set_optional)
        view.risk.picked.connect(self._set_risk)
        view.yaml_button.clicked.connect(self._show)
        view.nothing.first_pressed.connect(partial(self._services.run_command, "states.new"))
        view.yaml.typed.connect(self._type)
        view.broken.line_wanted.connect(self._open_yaml)
        for chips, key in ((view.after, "after"), (view.instead, "alternatives")):
            chips.removed.connect(partial(self._remove_name, key))
            chips.add_wanted.connect(partial(self._offer_names, chips, key))
            chips.opened.connect(self._open_state)
        form.condition_edited.connect(self._set_condition_field)
        form.condition_removed.connect(self._remove_condition)
        form.condition_moved.connect(self._move_condition)
        form.group_edited.connect(self._set_group)
        form.condition_chosen.connect(self._session.choose_condition)
        form.condition_wanted.connect(self._offer_conditions)

    # -- what is shown -------------------------------------------------------
    def edit_sentence(self) -> None:
        """Put the keyboard into the sentence of the state."""
        self.view.yaml_button.setChecked(False)
        self._show()
        self.view.sentence.setFocus()
        self.view.sentence.selectAll()

    @Slot()
    def _show(self) -> None:
        session, view, state = self._session, self.view, self._session.state
        is_other, self._shown_id = session.state_id != self._shown_id, session.state_id
        broken = session.broken_entry
        view.show_state(state is not None or broken is not None)
        # Without a step the graph itself offers it.
        view.offer_first(bool(session.steps) and not session.states and not self._is_read_only)
        if broken is not None:
            view.broken.show_entry(broken)
            view.show_page(is_broken=True)
            self._show_yaml(go_to=is_other)
        if state is None:
            return
        view.name.setText(session.name_of(state.id))
        view.title.setText(state.description or state.id)
        view.title.setToolTip(state.id)
        view.status.setText(_(_STATUSES.get(state.status or PROPOSED, state.status)))
        view.sentence.show_sentence(state.description, of_another=is_other)
        view.optional.setChecked(state.optional)
        view.risk.show_choice(state.risk)
        view.after.show_states(self._named(state.after))
        view.instead.show_states(self._named(state.alternatives))
        users = [task.id for task in session.tasks if state.id in task.essential_states]
        view.used.setText(", ".join(users) or _("no task names it"))
        view.form.show_rule(state)
        view.form.set_chosen(session.condition)
        view.show_page(is_broken=False)
        self._show_yaml(go_to=is_other)
        self._show_standing()
        self._show_proof()

    def _named(self, ids: Sequence[str]) -> list[tuple[str, str]]:
        session = self._session
        known = {state.id: state.description for state in session.states}
        return [(name, f"{session.name_of(name)} {known.get(name, '')}".strip()) for name in ids]

    def _show_yaml(self, *, go_to: bool) -> None:
        document = self._session.document_of(self._shown_id)
        if document is None or not self.view.yaml_button.isChecked():
            return
        was = self.view.yaml.toPlainText()
        self.view.yaml.set_text(document.text)
        place = document.place_of(self._shown_id)
        if place is not None and (go_to or not was):
            self.view.yaml.go_to(place.start)

    @Slot()
    def _show_standing(self) -> None:
        session, state = self._session, self._session.state
        if state is None:
            return
        standing = standing_of(session, state)
        self.view.standing_icon.set_name(standing.icon)
        self.view.standing.setText(standing.sentence)
        reach = session.reach_here.get(state.id)
        sentence = ""
        if session.trajectory is not None and state.conditions.conditions and reach is not None:
            title = session.trajectory.title
            spans = ", ".join(
                str(first + 1) if first == last else _("{first} to {last}", first=first + 1, last=last + 1)
                for first, last in reach.holds
            )
            sentence = _("Holds at step {steps} in {trajectory}", steps=spans, trajectory=title)
            if not spans:
                sentence = _("Holds at no step in {trajectory}", trajectory=title)
            elif reach.reached is None and reach.waits_for:
                names = ", ".join(map(session.name_of, reach.waits_for))
                sentence = _(
                    "{sentence}, but {states} is not reached before", sentence=sentence, states=names
                )
        self.view.holds.setText(sentence)
        self.view.holds.setVisible(bool(sentence))

    @Slot()
    def _show_proof(self) -> None:
        session, state, shown = self._session, self._session.state, self._session.shown
        if state is None:
            return
        view = shown.view if shown is not None else None
        self.view.form.show_proof(session.proof, view)
        ticks = []
        if session.proof is not None and view is not None:
            for path, condition in walk(state.conditions):
                clause = proof_at(session.proof, path)
                if path and clause is not None:
                    as_wanted = clause.holds != negated(state.conditions, path)
                    ticks.append(ClauseTick(condition.place.line, as_wanted, reason(clause, view)))
        self.view.yaml.set_ticks(ticks)

    @Slot()
    def _show_chosen(self) -> None:
        self.view.form.set_chosen(self._session.condition)

    @Slot()
    def _show_access(self) -> None:
        """Let nothing be typed in a project that is read-only."""
        self.view.set_read_only(self._is_read_only)

    @property
    def _is_read_only(self) -> bool:
        project = self._session.project_library.project
        return project is not None and project.is_read_only

    @Slot(str)
    def _open_state(self, name: str) -> None:
        self._session.select(name, follow=True)

    # -- edits ---------------------------------------------------------------
    @Slot(str)
    def _write_sentence(self, text: str) -> None:
        self._edits.set_field("description", text, self._shown_id)

    @Slot(bool)
    def _set_optional(self, on: bool) -> None:
        self._edits.set_field("optional", on)

    @Slot(str)
    def _set_risk(self, risk: str) -> None:
        self._edits.set_field("risk", risk or None)

    @Slot(object)
    def _remove_condition(self, path: ConditionPath) -> None:
        self._edits.change_condition(lambda file, name: file.delete_condition(name, path))

    @Slot(object, object, int)
    def _move_condition(self, path: ConditionPath, parent: ConditionPath, index: int) -> None:
        self._edits.change_condition(lambda file, name: file.move_condition(name, path, parent, index))

    @Slot(object, str)
    def _set_group(self, path: ConditionPath, kind: str) -> None:
        self._edits.change_condition(lambda file, name: file.set_group(name, path, kind))

    @Slot(object, str, object)
    def _set_condition_field(self, path: ConditionPath, key: str, value: object) -> None:
        self._edits.change_condition(
            lambda file, name: file.set_condition_field(name, path, key, value, merge_key=(name, path, key))
        )

    @Slot(int, int, str)
    def _type(self, start: int, end: int, text: str) -> None:
        """Write what was typed into the YAML."""
        self._edits.change_condition(lambda file, _name: file.replace(start, end, text, merge_key=_TYPING))

    @Slot(int)
    def _open_yaml(self, offset: int) -> None:
        self.view.yaml_button.setChecked(True)
        self._show()
        self.view.yaml.go_to(offset)
        self.view.yaml.setFocus()

    def _remove_name(self, key: str, name: str) -> None:
        state = self._session.state
        if state is not None:
            self._edits.set_field(key, [other for other in getattr(state, key) if other != name])

    def _offer_names(self, chips: StateChips, key: str) -> None:
        """Open a menu of the states that the selected one can name."""
        state = self._session.state
        if state is None:
            return
        menu = PopupMenu(self)
        for other in self._candidates(state, key):
            words = f"{self._session.name_of(other.id)} {other.description or other.id}"
            menu.addAction(menu_text(words)).setData((key, other.id))
        if menu.isEmpty():
            menu.addAction(_("There is no other essential state")).setEnabled(False)
        menu.triggered.connect(self._name_chosen)
        open_below(menu, chips.add)

    def _candidates(self, state: Rule, key: str) -> list[Rule]:
        """The states that can be named: not itself, not twice, and none that would close a circle."""
        known = [GraphState(item.id, 0, after=item.after) for item in self._session.states]
        return [
            other
            for other in self._session.states
            if other.id != state.id
            and other.id not in getattr(state, key)
            and not (key == "after" and closes_circle(known, other.id, state.id))
        ]

    def _name_chosen(self, action: QAction) -> None:
        key, name = action.data()
        state = self._session.state
        if state is not None:
            self._edits.set_field(key, [*getattr(state, key), name])

    @Slot(object)
    def _offer_conditions(self, parent: ConditionPath) -> None:
        """Open a menu of all kinds of condition, for the group at ``parent``."""
        shown = self._session.shown
        menu = PopupMenu(self)
        for title, condition in condition_starters(shown.view if shown is not None else None):
            menu.addAction(menu_text(title)).setData((parent, condition))
        menu.triggered.connect(self._starter_chosen)
        box = self.view.form.groups.get(parent)
        where = box if box is not None else self.view.form
        menu.popup(where.mapToGlobal(QPoint(where.width() // 2, 28)))

    def _starter_chosen(self, action: QAction) -> None:
        parent, condition = action.data()
        self._edits.add_condition(condition, parent)
