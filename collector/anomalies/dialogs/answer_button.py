"""Find the button of an injected dialog on the screen."""

from __future__ import annotations

from collector.anomalies.model import Anomaly
from collector.model.anomaly_terms import COMPANION_PACKAGE
from collector.model.companion.activities import ACTIVITIES, CompanionActivity
from collector.model.tree import Node, Tree

_SHADE = "com.android.systemui"
"""The app whose windows show notifications."""


def answer_node(tree: Tree, anomaly: Anomaly, answer: str) -> Node | None:
    """The node of ``tree`` to tap for ``answer``: by its resource id, or by the label the anomaly gave it."""
    if anomaly.activity == "NotificationReceiver":
        return _in_notification(tree, anomaly, answer)
    nodes = [node for node in tree.nodes if node.package == COMPANION_PACKAGE]
    known = ACTIVITIES.get(anomaly.activity, CompanionActivity()).buttons
    view = next((button.view for button in known if button.answer == answer), "")
    wanted = f"{COMPANION_PACKAGE}:id/{view}"
    label = next((node.button for node in anomaly.answers if node.name == answer), "")
    return next((node for node in nodes if node.resource_id == wanted), None) or next(
        (node for node in nodes if label and label in (node.text, node.content_desc)), None
    )


def _in_notification(tree: Tree, anomaly: Anomaly, answer: str) -> Node | None:
    """The action of a notification by its label, or the notification itself, which accepts.

    A label that the library leaves out is the app's own: the actions stand in the order of the contract.
    """
    label = next((node.button for node in anomaly.answers if node.name == answer), "")
    order = [button.answer for button in ACTIVITIES[anomaly.activity].buttons]
    wanted = f"android:id/action{order.index(answer)}" if answer in order else ""
    title = anomaly.value("param_title")
    shown = [node for node in tree.nodes if node.package == _SHADE and node.bounds is not None]
    return (
        next((node for node in shown if label and node.text == label), None)
        or next((node for node in shown if wanted and node.resource_id == wanted), None)
        or next((node for node in shown if answer == order[0] and title and node.text == title), None)
    )
