"""What of a recorded trajectory is never shared: texts of password fields, and the pixels that show them.

Recordings of this program hold none of it; imported ones may.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace

from collector.hierarchy.captions import caption, focused_field
from collector.model.action import Type
from collector.model.geometry import Rect
from collector.model.trajectory import Step, Target
from collector.model.tree import Node, Tree
from collector.store.redaction import MASK, TEXT_ATTRIBUTES
from collector.store.secret_text import SHORTEST, SecretTexts, without_texts

_DOTS = frozenset("•●∙·*＊")
"""Characters in which password fields show their text."""
_NO_TEXTS = frozenset({"class", "package", "resource-id", "bounds", "index"})
"""Attributes that name types and places and repeat no text of a person."""


def typed_secret(step: Step, tree: Tree | None) -> str:
    """The text that a step typed into a password field; empty for any other step."""
    action = step.action
    if not isinstance(action, Type) or not action.text:
        return ""
    field = focused_field(tree) if tree is not None else None
    target = step.target.attributes if step.target is not None else {}
    is_password = target.get("password") == "true" or (field is not None and field.password)
    return action.text if is_password else ""


def secrets_in(tree: Tree) -> Iterator[str]:
    """The texts of the password fields of a tree; hints and dots are none."""
    for node in tree:
        text = node.text.strip()
        if text and _is_password(node) and text != node.get("hint").strip() and not _DOTS.issuperset(text):
            yield text


def private_regions(tree: Tree | None, secrets: SecretTexts) -> tuple[Rect, ...]:
    """Where a screen shows what is not shared, in its pixels: password fields, and nodes with a secret."""
    return tuple(
        node.bounds
        for node in tree or ()
        if node.bounds is not None and not node.bounds.is_empty and _is_private(node, secrets)
    )


def without_secrets(tree: Tree, secrets: SecretTexts) -> Tree:
    """The tree with the texts of its password fields masked, and every secret elsewhere."""
    if not any(node.password for node in tree) and not secrets:
        return tree
    copies: list[Node] = []
    for node in tree.nodes:
        parent = copies[node.parent.order] if node.parent is not None else None
        attributes = _masked(node, secrets)
        copies.append(Node(node.order, attributes, parent, (), node.depth, node.bounds, node.root_position))
    for node, copy in zip(tree.nodes, copies, strict=True):
        copy.children = tuple(copies[child.order] for child in node.children)
    return replace(tree, nodes=tuple(copies))


def safe_step(step: Step, tree: Tree | None, secrets: SecretTexts) -> Step:
    """The step without secrets in what was done, thought and written down."""
    typed, action, turn = typed_secret(step, tree), step.action, step.agent
    description = step.description
    if typed:
        action, target = Type(redacted=True), step.target
        description = caption(action, tree)
        if len(typed.strip()) < SHORTEST:  # nothing can be looked for in what was said
            turn = without_texts(turn)
        elif turn is not None and isinstance(turn.predicted, Type):
            turn = replace(turn, predicted=Type(redacted=True))
    target = _safe_target(step.target, secrets)
    return replace(
        step, action=secrets.masked_action(action), target=target, agent=secrets.masked_turn(turn),
        description=secrets.masked(description), note=secrets.masked(step.note),
        intention=secrets.masked(step.intention),
    )  # fmt: skip


def _safe_target(target: Target | None, secrets: SecretTexts) -> Target | None:
    if target is None:
        return None
    if target.attributes.get("password") == "true":
        return replace(target, selectors=(), attributes={})
    return replace(
        target,
        selectors=tuple(secrets.masked(selector) for selector in target.selectors),
        attributes=secrets.masked(dict(target.attributes)),
    )


def _is_password(node: Node) -> bool:
    return node.password or any(parent.password for parent in node.ancestors())


def _is_private(node: Node, secrets: SecretTexts) -> bool:
    # The picture may be newer than the tree: a field that was empty in it is hidden too.
    return _is_password(node) or any(
        secrets.masked(node.get(name)) != node.get(name) for name in TEXT_ATTRIBUTES
    )


def _masked(node: Node, secrets: SecretTexts) -> Mapping[str, str]:
    attributes = {
        name: value if name in _NO_TEXTS else secrets.masked(value) for name, value in node.attributes.items()
    }
    if _is_password(node):
        attributes |= {name: MASK for name in TEXT_ATTRIBUTES if node.get(name)}
    return attributes
