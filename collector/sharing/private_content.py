"""What of a recorded trajectory is never shared: texts of password fields, and the pixels that show them.

Recordings of this program hold none of it; imported ones may.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from collector.hierarchy.captions import caption
from collector.hierarchy.password_fields import is_password, password_orders
from collector.model.action import Type
from collector.model.geometry import Rect
from collector.model.trajectory import Step, Target
from collector.model.tree import Node, Tree
from collector.model.user_reply import REPLY, UserReply
from collector.store.checks.typed_passwords import typed_password
from collector.store.redaction.line_masking import masked_target
from collector.store.redaction.screens import MASK, TEXT_ATTRIBUTES
from collector.store.redaction.secret_text import SHORTEST, SecretTexts, without_texts

_NO_TEXTS = frozenset({"class", "package", "resource-id", "bounds", "index"})
"""Attributes that name types and places and repeat no text of a person."""


def private_regions(tree: Tree | None, secrets: SecretTexts) -> tuple[Rect, ...]:
    """Where a screen shows what is not shared, in its pixels: password fields, and nodes with a secret."""
    # The picture may be newer than the tree: a field that was empty in it is hidden too.
    passwords = password_orders(tree) if tree is not None else ()
    return tuple(
        node.bounds
        for node in tree or ()
        if (node.order in passwords or _shows_secret(node, secrets))
        and node.bounds is not None
        and not node.bounds.is_empty
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
    typed, action, turn = typed_password(step, tree), step.action, step.agent
    description = step.description
    if typed:
        action = Type(redacted=True)
        description = caption(action, tree)
        if len(typed.strip()) < SHORTEST:  # nothing can be looked for in what was said
            turn = without_texts(turn)
        elif turn is not None and isinstance(turn.predicted, Type):
            turn = replace(turn, predicted=Type(redacted=True))
    target = _safe_target(step.target, secrets)
    return replace(
        step, action=secrets.masked_action(action), target=target, agent=secrets.masked_turn(turn),
        description=secrets.masked(description), note=secrets.masked(step.note),
        intention=secrets.masked(step.intention), extra=_safe_extra(step.extra, secrets),
    )  # fmt: skip


def _safe_extra(extra: Mapping[str, Any], secrets: SecretTexts) -> Mapping[str, Any]:
    """What a user answered may be what the agent typed into a password field then."""
    reply = UserReply.read(extra.get(REPLY))
    if reply is None:
        return extra
    return {**extra, REPLY: replace(reply, text=secrets.masked(reply.text)).as_dict()}


def _safe_target(target: Target | None, secrets: SecretTexts) -> Target | None:
    if target is None:
        return None
    if target.attributes.get("password") == "true":
        return replace(target, selectors=(), attributes={})
    return masked_target(target, secrets)


def _shows_secret(node: Node, secrets: SecretTexts) -> bool:
    return bool(secrets) and any(secrets.finds(node.get(name)) for name in TEXT_ATTRIBUTES)


def _masked(node: Node, secrets: SecretTexts) -> Mapping[str, str]:
    attributes = {
        name: value if name in _NO_TEXTS else secrets.masked(value) for name, value in node.attributes.items()
    }
    if is_password(node):
        attributes |= {name: MASK for name in TEXT_ATTRIBUTES if node.get(name)}
    return attributes
