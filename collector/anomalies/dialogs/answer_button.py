"""Find the button of an injected dialog on the screen."""

from __future__ import annotations

from collector.anomalies.model import Anomaly
from collector.model.anomaly_terms import COMPANION_PACKAGE
from collector.model.companion.activities import ACTIVITIES, CompanionActivity
from collector.model.tree import Node, Tree


def answer_node(tree: Tree, anomaly: Anomaly, answer: str) -> Node | None:
    """The node of ``tree`` to tap for ``answer``: by its resource id, or by the label the anomaly gave it."""
    nodes = [node for node in tree.nodes if node.package == COMPANION_PACKAGE]
    known = ACTIVITIES.get(anomaly.activity, CompanionActivity()).buttons
    view = next((button.view for button in known if button.answer == answer), "")
    wanted = f"{COMPANION_PACKAGE}:id/{view}"
    label = next((node.button for node in anomaly.answers if node.name == answer), "")
    return next((node for node in nodes if node.resource_id == wanted), None) or next(
        (node for node in nodes if label and label in (node.text, node.content_desc)), None
    )
