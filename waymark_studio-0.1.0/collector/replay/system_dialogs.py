"""Find the button that leaves a dialog of the phone itself: a crash, a permission, a call."""

from __future__ import annotations

from collector.model.tree import Node, Tree

_PERMISSION = ("permissioncontroller", "packageinstaller")
_CALL = ("dialer", "incallui")
_BUTTONS = (
    ("aerr_restart", ("android",)),
    ("aerr_wait", ("android",)),
    ("aerr_close", ("android",)),
    ("permission_allow_foreground_only_button", _PERMISSION),
    ("permission_allow_button", _PERMISSION),
    ("decline_button", _CALL),
)
"""Ids of buttons, and what the package that owns the id ends in: of a crash, an app that does not answer,
a permission, a call. The first that is there is taken."""


def leaving_button(tree: Tree) -> Node | None:
    """The button to tap; None when no such dialog is on the screen."""
    named = [node for node in tree if node.resource_id and node.bounds is not None]
    for name, owners in _BUTTONS:
        button = next(
            (node for node in named if node.short_id == name and _owner(node).endswith(owners)), None
        )
        if button is not None:
            return button
    return None


def _owner(node: Node) -> str:
    return node.resource_id.partition(":")[0]
