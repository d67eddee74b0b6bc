"""*Hide this...*: choose a place on a screen, and where it is hidden from now on."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum

from PySide6.QtCore import QTimer, Signal, Slot
from PySide6.QtGui import QImage
from PySide6.QtWidgets import QCheckBox, QHBoxLayout, QLineEdit, QVBoxLayout, QWidget

from collector.hierarchy.spatial_index import SpatialIndex
from collector.model.geometry import Rect, Size
from collector.model.i18n import _, ngettext
from collector.model.tree import Node, Tree
from collector.redaction_rules.redaction_rule import BLUR, FILL, RedactionRule
from collector.redaction_rules.rule_choice import RuleReach, places_of, rectangle_rule, selectors_of
from rule_editor.widgets.combo_box import ComboBox
from rule_editor.widgets.field_names import name_field
from studio.widgets.captions.node_text import tree_line
from studio.widgets.controls import Label, SegmentedControl
from studio.widgets.dialogs.dialog import Dialog, show_problem
from studio.widgets.redaction.place_picker import PlacePicker

_WIDTH, _HEIGHT, _MARGIN, _RIGHT = 900, 560, 24, 380
_ASK_AFTER_MS = 300
_BY_HAND = "by hand"
"""Name of a rule that no file has, as a step keeps it."""
_RECTANGLE = 0
"""Row of the rectangle in the list of places."""


class HideScope(StrEnum):
    """Where something is hidden."""

    SCREEN = "screen"
    TRAJECTORY = "trajectory"
    PROJECT = "project"


@dataclass(frozen=True, slots=True)
class HideChoice:
    """What a person chose to hide."""

    scope: HideScope
    rule: RedactionRule
    places: tuple[Rect, ...]
    """What is covered on the screen that was shown, in its pixels."""


class HideDialog(Dialog):
    """``reach_asked`` asks for :meth:`show_reach`; accepted, ``choice`` says what is hidden."""

    reach_asked = Signal(object)
    """A RedactionRule, and None while there is none."""
    chosen = Signal(object)
    """A :class:`HideChoice`."""

    def __init__(
        self, title: str, image: QImage, size: Size, tree: Tree | None, index: SpatialIndex | None,
        package: str, known: Sequence[str], parent: QWidget, *,
        scopes: Sequence[HideScope] = tuple(HideScope),
    ) -> None:  # fmt: skip
        """``known`` are the names of the project's rules, ``scopes`` what can be chosen."""
        sentence = _("Drag over the screen to draw a rectangle, or click a node.")
        super().__init__(title, _("Hide"), parent, sentence=sentence, width=_WIDTH)
        self._tree, self._size, self._package = tree, size, package
        self._known = set(known)
        self._rectangle: Rect | None = None
        self._has_scopes = len(scopes) > 1
        self.nodes = [node for node in tree or () if node.bounds is not None and not node.bounds.is_empty]
        self.picker = PlacePicker()
        self.picker.show_screen(image, size, index)
        self.place, self.selector, self.name = ComboBox(), ComboBox(), QLineEdit()
        self.scope = SegmentedControl(
            [
                (scope, title, "")
                for scope, title in (
                    (HideScope.SCREEN, _("This screen")),
                    (HideScope.TRAJECTORY, _("This trajectory")),
                    (HideScope.PROJECT, _("The project")),
                )
                if scope in scopes
            ]
        )
        self.how = SegmentedControl([(FILL, _("Fill"), ""), (BLUR, _("Blur"), "")])
        self.in_app = QCheckBox(_("Only in {app}", app=package or _("this app")))
        self._says = Label("", "body", "text-2", wrap=True)
        self._reach = Label("", "body", wrap=True)
        self._timer = QTimer(self)
        self._timer.setSingleShot(True)
        self._timer.setInterval(_ASK_AFTER_MS)
        self._timer.timeout.connect(self._ask_reach)
        self._lay_out()
        self._connect()
        self._fill_places()
        self.scope.set_current(HideScope.TRAJECTORY if HideScope.TRAJECTORY in scopes else scopes[0])
        self._changed()
        self.place.setFocus()
        self.resize(_WIDTH, min(_HEIGHT, parent.height() - 2 * _MARGIN))

    def _lay_out(self) -> None:
        right = QVBoxLayout()
        right.setSpacing(6)
        self._titles: dict[QWidget, Label] = {}
        for title, field in (
            (_("What is hidden"), self.place),
            (_("Selector"), self.selector),
            (_("Where"), self.scope),
            (_("Name of the rule"), self.name),
            (_("How"), self.how),
        ):
            name_field(field, title)
            self._titles[field] = Label(title, "caption", "text-2")
            right.addWidget(self._titles[field])
            right.addWidget(field)
        self.in_app.setVisible(bool(self._package))
        self._problem = Label("", "caption", "err", wrap=True)
        self._problem.hide()
        right.insertWidget(right.indexOf(self.name) + 1, self._problem)
        right.addWidget(self.in_app)
        right.addSpacing(8)
        right.addWidget(self._reach)
        right.addWidget(self._says)
        right.addStretch()
        side = QWidget()
        side.setFixedWidth(_RIGHT)
        right.setContentsMargins(0, 0, 0, 0)
        side.setLayout(right)
        row = QHBoxLayout()
        row.setSpacing(16)
        row.addWidget(self.picker, 1)
        row.addWidget(side)
        self.body.addLayout(row, 1)

    def _connect(self) -> None:
        self.picker.rectangle_drawn.connect(self.choose_rectangle)
        self.picker.node_clicked.connect(self.choose_node)
        self.place.currentIndexChanged.connect(self._place_changed)
        self.selector.currentIndexChanged.connect(self._changed)
        self.scope.chosen.connect(self._changed)
        self.how.chosen.connect(self._changed)
        self.name.textChanged.connect(self._changed)
        self.in_app.toggled.connect(self._changed)
        self.accepted.connect(self._accepted)

    def _fill_places(self) -> None:
        self.place.addItem(_("Nothing yet"))
        for node in self.nodes:
            self.place.addItem(str(tree_line(node)))
        self.place.setMaxVisibleItems(20)

    # -- choosing --------------------------------------------------------------
    @Slot(object)
    def choose_rectangle(self, box: Rect) -> None:
        """Hide a rectangle, in pixels of the screen."""
        self._rectangle = box
        self.place.setItemText(_RECTANGLE, _("A rectangle: {box}", box=box))
        self.place.setCurrentIndex(_RECTANGLE)
        self._place_changed()

    @Slot(object)
    def choose_node(self, node: Node) -> None:
        """Hide a node."""
        if node in self.nodes:
            self.place.setCurrentIndex(self.nodes.index(node) + 1)

    @Slot()
    def _place_changed(self) -> None:
        node = self._node
        self.selector.blockSignals(True)
        self.selector.clear()
        if node is not None and self._tree is not None:
            self.selector.addItems(selectors_of(self._tree, node))
        self.selector.blockSignals(False)
        self._changed()

    @property
    def _node(self) -> Node | None:
        row = self.place.currentIndex()
        return self.nodes[row - 1] if row > _RECTANGLE else None

    @property
    def choice(self) -> HideChoice | None:
        """What is chosen; None while it is not whole."""
        rule = self._rule()
        if rule is None:
            return None
        scope = HideScope(self.scope.current)
        node = self._node
        if scope is HideScope.SCREEN and node is not None and node.bounds is not None:
            return HideChoice(scope, rule, (node.bounds,))
        return HideChoice(scope, rule, tuple(places_of(rule, self._tree, self._package, self._size)))

    def _rule(self) -> RedactionRule | None:
        name = self.name.text().strip() or _BY_HAND
        style = self.how.current
        apps = (self._package,) if self.in_app.isChecked() and self._package else ()
        if self._node is None:
            if self._rectangle is None:
                return None
            return rectangle_rule(name, self._rectangle, self._size, style=style, apps=apps)
        selector = self.selector.currentText()
        return RedactionRule(name, selector=selector, style=style, apps=apps) if selector else None

    @Slot()
    def _changed(self) -> None:
        """Show what the choice comes to."""
        scope, node = HideScope(self.scope.current), self._node
        is_rule, is_project = scope is not HideScope.SCREEN, scope is HideScope.PROJECT
        for field, shown in (
            (self.selector, is_rule and node is not None),
            (self.name, is_project),
            (self.how, is_rule),
            (self.scope, self._has_scopes),
        ):
            field.setVisible(shown)
            self._titles[field].setVisible(shown)
        self.in_app.setVisible(is_rule and bool(self._package))
        choice = self.choice
        self.picker.show_covered(choice.places if choice is not None else ())
        problem = self._what_is_wrong(is_project)
        show_problem(self._problem, self.name, problem if self.name.text() else "")
        self.yes.setEnabled(choice is not None and not problem)
        self._says.setText(_SENTENCES[scope]())
        self._reach.setText("")
        self._timer.start()

    def _what_is_wrong(self, is_project: bool) -> str:
        name = self.name.text().strip()
        if not is_project:
            return ""
        if not name:
            return _("The rule has no name")
        return _("Two rules are called {name}", name=name) if name in self._known else ""

    # -- how far it reaches ----------------------------------------------------
    @Slot()
    def _ask_reach(self) -> None:
        choice = self.choice
        wants = choice is not None and choice.scope is not HideScope.SCREEN
        if wants:
            self._reach.setText(_("Counting the screens..."))
        self.reach_asked.emit(choice if wants else None)

    def show_reach(self, reach: RuleReach) -> None:
        """Show on how many recorded screens the choice hides something."""
        screens = f"{reach.screens:,}"
        text = ngettext(
            "It hides something on {screens} of {count} screen",
            "It hides something on {screens} of {count} screens", reach.of_screens, screens=screens,
        )  # fmt: skip
        if reach.of_trajectories > 1:
            more = ngettext(
                "in {some} of {count} trajectory", "in {some} of {count} trajectories",
                reach.of_trajectories, some=f"{reach.trajectories:,}",
            )  # fmt: skip
            text = f"{text}, {more}"
        self._reach.setText(text)

    @property
    def reach(self) -> str:
        """What is said of how far the choice reaches."""
        return self._reach.text()

    @Slot()
    def _accepted(self) -> None:
        choice = self.choice
        if choice is not None:
            self.chosen.emit(choice)


def _of_screen() -> str:
    return _(
        "The place is covered in this screenshot. What was typed and said in the step goes too, and the "
        "texts in the place are masked in the whole trajectory. It is gone for good, with the undo of "
        "earlier edits."
    )


def _of_trajectory() -> str:
    return _(
        "It is hidden on every screen of the trajectory where it is found, and its texts are masked in all "
        "that was typed, said and written. It is gone for good, with the undo of earlier edits."
    )


def _of_project() -> str:
    return _(
        "The rule counts for everything that is recorded from now on, before it is stored. What was recorded "
        "before stays until the rules are applied to it."
    )


_SENTENCES = {
    HideScope.SCREEN: _of_screen,
    HideScope.TRAJECTORY: _of_trajectory,
    HideScope.PROJECT: _of_project,
}
