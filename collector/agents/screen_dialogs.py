"""Recognise a dialog that interrupts a task, from the tree of the screen alone, and what its buttons mean."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass

from collector.hierarchy.captions import describe_node
from collector.model.anomaly_terms import COMPANION_PACKAGE
from collector.model.companion.activities import ACTIVITIES
from collector.model.tree import Node, Tree
from collector.replay.system_dialogs import leaving_button

INJECTED, PERMISSION, CRASH, FROZEN, CALL, SYSTEM = (
    "injected", "permission", "crash", "frozen", "call", "system",
)  # fmt: skip
DIALOG_KINDS = (INJECTED, PERMISSION, CRASH, FROZEN, CALL, SYSTEM)
"""Of the companion app; a permission; an app that stopped or does not answer; a call; any other alert."""
ACCEPT, REFUSE, OTHER = "accept", "refuse", "other"

_ROLES = {
    button.view.lower(): {"accept": ACCEPT, "deny": REFUSE}.get(button.answer, OTHER)
    for known in ACTIVITIES.values() for button in known.buttons if button.view
} | {
    "permission_allow_button": ACCEPT, "permission_allow_foreground_only_button": ACCEPT,
    "permission_allow_one_time_button": OTHER, "permission_deny_button": REFUSE,
    "permission_deny_and_dont_ask_again_button": REFUSE,
    "aerr_restart": ACCEPT, "aerr_wait": REFUSE, "aerr_close": ACCEPT, "aerr_app_info": OTHER,
    "answer_button": ACCEPT, "decline_button": REFUSE,
    "button1": ACCEPT, "button2": REFUSE, "button3": OTHER,
}  # fmt: skip
"""What the buttons of known dialogs mean, by the end of their id."""
_REFUSING = re.compile(
    r"(?:not now|no|skip|cancel|deny|don.t allow|do not allow|later|close|dismiss|reject|ignore|maybe later|"
    r"keep|stay|go on|continue)\b|暂不|跳过|取消|拒绝|稍后|以后|关闭|忽略|不允许|不用|继续|否",
    re.IGNORECASE,
)
"""Beginnings of labels that leave a dialog as it is; ids decide before them."""


@dataclass(frozen=True, slots=True, eq=False)
class ScreenButton:
    """A button of a dialog and what it means."""

    node: Node
    label: str
    role: str


@dataclass(frozen=True, slots=True, eq=False)
class ScreenDialog:
    """A dialog on the screen. Its buttons are in reading order."""

    kind: str
    words: tuple[str, ...]
    """Every text on it, from the top."""
    buttons: tuple[ScreenButton, ...]

    @property
    def title(self) -> str:
        """Its first words, for a person."""
        return self.words[0] if self.words else self.kind

    def buttons_with(self, role: str) -> list[ScreenButton]:
        """The buttons of a role."""
        return [button for button in self.buttons if button.role == role]


def find_dialog(tree: Tree) -> ScreenDialog | None:
    """The dialog in front; None when there is none that can be recognised."""
    companion = [node for node in tree if node.package == COMPANION_PACKAGE]
    if companion:
        return _dialog(INJECTED, companion)
    leaving = leaving_button(tree)
    kind = _kind_of(tree, leaving)
    if not kind:
        return None
    owner = leaving.package if leaving is not None else ""
    nodes = [node for node in tree if node.package == owner] if owner else _alert_nodes(tree)
    return _dialog(kind, nodes)


def _kind_of(tree: Tree, leaving: Node | None) -> str:
    if leaving is not None:
        name = leaving.short_id
        if name.startswith("permission_"):
            return PERMISSION
        if name == "decline_button":
            return CALL
        return FROZEN if any(node.short_id == "aerr_wait" for node in tree) else CRASH
    ids = {node.resource_id for node in tree}
    buttons = {"android:id/button1", "android:id/button2", "android:id/button3"} & ids
    has_head = any(node.short_id in ("alertTitle", "message", "parentPanel") for node in tree)
    return SYSTEM if buttons and has_head else ""


def _alert_nodes(tree: Tree) -> list[Node]:
    """The nodes of the package whose alert is in front."""
    button = next(node for node in tree if node.resource_id.startswith("android:id/button"))
    panel: Node = button
    for above in button.ancestors():
        if above.package != button.package:
            break
        panel = above
    return [panel, *panel.descendants()]


def _dialog(kind: str, nodes: Iterable[Node]) -> ScreenDialog:
    nodes = list(nodes)
    shown = [node for node in nodes if node.bounds is not None and not node.bounds.is_empty]
    buttons = [node for node in shown if node.clickable and not _is_field(node) and describe_node(node)]
    ordered = sorted(buttons, key=lambda node: (node.bounds.top, node.bounds.left) if node.bounds else (0, 0))
    words = dict.fromkeys(" ".join(node.label.split()) for node in shown if node.label.strip())
    return ScreenDialog(kind, tuple(words), tuple(map(_button, ordered)))


def _button(node: Node) -> ScreenButton:
    label = node.label or describe_node(node)
    role = _ROLES.get(node.short_id.lower(), "")
    if not role:
        role = REFUSE if _REFUSING.match(label) else OTHER
    return ScreenButton(node, label, role)


def _is_field(node: Node) -> bool:
    return "EditText" in node.class_name or node.password
