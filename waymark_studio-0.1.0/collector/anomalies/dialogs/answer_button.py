"""Find the button of an injected dialog on the screen."""

from __future__ import annotations

from collector.anomalies.model import Anomaly
from collector.model.anomaly_terms import COMPANION_PACKAGE
from collector.model.tree import Node, Tree

_IDS = {
    ("LocationPermissionActivity", "accept"): "allow_button",
    ("LocationPermissionActivity", "deny"): "deny_button",
    ("LowBatteryActivity", "accept"): "ok_button",
    ("ProgressActivity", "accept"): "progress_button",
    ("CookieConsentActivity", "accept"): "accept_all_button",
    ("CookieConsentActivity", "deny"): "reject_all_button",
    ("CookieConsentActivity", "manage"): "manage_settings_button",
}
"""Resource ids of D-GARA's app."""


def answer_node(tree: Tree, anomaly: Anomaly, answer: str) -> Node | None:
    """The node of ``tree`` to tap for ``answer``: by its resource id, or by the label the anomaly gave it."""
    nodes = [node for node in tree.nodes if node.package == COMPANION_PACKAGE]
    wanted = f"{COMPANION_PACKAGE}:id/{_IDS.get((anomaly.activity, answer), '')}"
    label = next((node.button for node in anomaly.answers if node.name == answer), "")
    return next((node for node in nodes if node.resource_id == wanted), None) or next(
        (node for node in nodes if label and label in (node.text, node.content_desc)), None
    )
