"""Comments on a trajectory, its steps and the nodes of its screens."""

from __future__ import annotations

from collector.hierarchy.errors import SelectorError
from collector.hierarchy.parse import parse_tree
from collector.hierarchy.selector_ranking import rank_selectors
from collector.hierarchy.selectors import parse_selector
from collector.model.errors import UserError
from collector.model.i18n import _
from collector.model.trajectory import Step, Target
from collector.model.tree import Node, Tree
from collector.review.review_clock import now_stamp
from collector.store.trajectory.achieved_states import screen_of_step
from collector.store.trajectory.reader import StoredTrajectory
from collector.store.trajectory.reviews.labels import Comment

_SELECTORS = 5
_ATTRIBUTES = ("class", "resource-id", "text", "content-desc")


def new_comment(stored: StoredTrajectory, text: str, step: int | None = None, selector: str = "") -> Comment:
    """A comment on a trajectory, a step, or the node of a step that a selector names. Raises UserError."""
    if not text.strip():
        raise UserError(_("The comment is empty"))
    if step is None:
        if selector:
            raise UserError(_("A comment on a node needs the step that shows it"))
        return Comment(text.strip(), time=now_stamp())
    screen = screen_of_step(stored.steps, step)
    node = _node(stored, stored.steps[step], selector) if selector else None
    return Comment(text.strip(), step, screen, node, now_stamp())


def pinned_node(tree: Tree, node: Node) -> Target:
    """A node to pin a comment to, with the selectors that find it again."""
    ranked = [selector.text for selector in rank_selectors(tree, node)]
    selectors = [text for text in ranked if not text.startswith("/hierarchy")]  # the path says the same
    attributes = {name: node.attributes[name] for name in _ATTRIBUTES if node.attributes.get(name)}
    return Target(node.path, node.bounds, tuple(selectors[:_SELECTORS]), attributes)


def find_pinned(tree: Tree, target: Target) -> Node | None:
    """The node of a comment in a tree: by its path if that is still the same node, else by its selectors."""
    at_path = tree.at_path(target.path)
    if at_path is not None and all(
        at_path.attributes.get(name) == value for name, value in target.attributes.items()
    ):
        return at_path
    for text in target.selectors[:_SELECTORS]:
        try:
            matches = parse_selector(text).find(tree)
        except SelectorError:
            continue
        if len(matches) == 1:
            return matches[0]
    return at_path if not target.attributes else None


def _node(stored: StoredTrajectory, step: Step, selector: str) -> Target:
    data = stored.tree(step)
    if not data:
        raise UserError(_("Step {step} has no tree to find a node in", step=step.index + 1))
    tree = parse_tree(data)
    matches = parse_selector(selector).find(tree)
    if not matches:
        raise UserError(
            _("No node of step {step} matches {selector}", step=step.index + 1, selector=selector)
        )
    return pinned_node(tree, matches[0])
