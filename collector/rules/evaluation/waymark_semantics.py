"""``semantics: waymark``: a rule means what it says, every matching node counts, nothing is guessed."""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Iterable
from dataclasses import replace

from collector.hierarchy.errors import SelectorError
from collector.model.action import Answer, Key, OpenApp, Type
from collector.model.tree import Node
from collector.rules.evaluation.proof import PictureFinder, Proof, all_of, any_of, none_of
from collector.rules.evaluation.state_view import StateView, full_activity
from collector.rules.grammar.model import (
    ActionWas,
    Condition,
    CurrentActivityIs,
    CurrentPackageIs,
    ElementExists,
    ElementNotExists,
    ElementProperty,
    ElementPropertyContains,
    ElementTextContains,
    ElementTextEquals,
    Group,
    ImageMatches,
    MinStep,
    SemanticElementExists,
    StateReached,
    TextMatches,
    Unknown,
)
from collector.rules.grammar.patterns import compile_pattern
from collector.rules.grammar.value_reader import ANY_ACTION, compiled_selector

_ENOUGH = 8
"""Nodes named in a proof; a selector may match hundreds."""
_ROUNDING = 1e-9
UNREADABLE = "unreadable"
TOO_EARLY = "too-early"
OTHER_WORDS = "other-words"
OTHER_NODE = "other-node"
"""Notes on an action of the right kind: it said something else, or landed on another node."""
_GROUPS = {"all": all_of, "any": any_of, "not": none_of}


def prove(condition: Condition, view: StateView, pictures: PictureFinder | None = None) -> Proof:
    """The verdict of one condition on one state, with its reasons. Never raises for what a rule can say."""
    if isinstance(condition, Group):
        parts = tuple(prove(part, view, pictures) for part in condition.conditions)
        proof = _GROUPS[condition.kind](condition, parts)
    elif isinstance(condition, ImageMatches):
        proof = pictures.prove(condition, view) if pictures else Proof(condition, False, deficit=1)
    else:
        try:
            proof = _PROVERS[type(condition)](condition, view)
        except (SelectorError, re.error):
            proof = Proof(condition, False, note=UNREADABLE, deficit=1)
    if condition.min_step > view.step:
        return replace(proof, holds=False, note=TOO_EARLY, deficit=proof.deficit + 1)
    return proof


def keywords_needed(count: int, threshold: float) -> int:
    """The least number of ``count`` keywords that makes the share; rounding faults of floats are forgiven."""
    return math.ceil(count * threshold - _ROUNDING)


def _semantic(condition: SemanticElementExists, view: StateView) -> Proof:
    missing = tuple(word for word in condition.keywords if not view.has_keyword(word))
    count = len(condition.keywords)
    have, need = count - len(missing), keywords_needed(count, condition.match_threshold)
    holds = have >= need and count > 0
    return Proof(
        condition, holds, have=have, need=need, missing=missing,
        deficit=0 if holds else max(1, need - have), evidence=have,
    )  # fmt: skip


def _activity(condition: CurrentActivityIs, view: StateView) -> Proof:
    have = full_activity(view.package, view.activity)
    wanted = condition.value
    holds = bool(wanted) and wanted in (view.activity, have, f"{view.package}/{view.activity}")
    holds = holds or (bool(have) and full_activity(view.package, wanted) == have)
    return Proof(condition, holds, found=view.activity, deficit=not holds)


def _package(condition: CurrentPackageIs, view: StateView) -> Proof:
    holds = condition.value == view.package
    return Proof(condition, holds, found=view.package, deficit=not holds)


def _exists(condition: ElementExists, view: StateView) -> Proof:
    found = view.find(condition.selector)
    return Proof(
        condition, bool(found), nodes=_orders(found), have=len(found), deficit=not found, evidence=bool(found)
    )


def _not_exists(condition: ElementNotExists, view: StateView) -> Proof:
    found = view.find(condition.selector)
    return Proof(condition, not found, nodes=_orders(found), have=len(found), deficit=bool(found))


def _property(condition: ElementProperty, view: StateView) -> Proof:
    name, wanted = condition.attribute, condition.value
    if isinstance(condition, ElementPropertyContains):
        return _on_nodes(condition, view, name, lambda have: wanted in have)
    return _on_nodes(condition, view, name, lambda have: have == wanted)


def _text(condition: ElementTextEquals, view: StateView) -> Proof:
    wanted = condition.text
    if isinstance(condition, ElementTextContains):
        return _on_nodes(condition, view, "text", lambda have: wanted in have)
    return _on_nodes(condition, view, "text", lambda have: have == wanted)


def _on_nodes(
    condition: ElementProperty | ElementTextEquals, view: StateView, name: str, fits: Callable[[str], bool]
) -> Proof:
    found = view.find(condition.selector)
    good = [node for node in found if (have := node.attributes.get(name)) is not None and fits(have)]
    if good:
        return Proof(condition, True, nodes=_orders(good), have=len(good), evidence=1)
    instead = next((node.attributes[name] for node in found if node.attributes.get(name)), "")
    return Proof(
        condition, False, found=instead, near=_orders(found), have=0, deficit=1, evidence=bool(found)
    )


def _matches(condition: TextMatches, view: StateView) -> Proof:
    nodes: Iterable[Node] = view.find(condition.selector) if condition.selector else view.nodes
    found_in = compile_pattern(condition.pattern).found_in
    good = [node for node in nodes if any(text and found_in(text) for text in (node.text, node.content_desc))]
    return Proof(
        condition, bool(good), nodes=_orders(good), have=len(good), deficit=not good, evidence=bool(good)
    )


def _min_step(condition: MinStep, view: StateView) -> Proof:
    holds = view.step >= condition.value
    return Proof(condition, holds, have=view.step, need=condition.value, deficit=not holds)


def _action_was(condition: ActionWas, view: StateView) -> Proof:
    action = view.action
    if action is None or condition.action not in (action.kind, ANY_ACTION):
        return Proof(condition, False, found=action.kind if action else "", deficit=1)
    if condition.text and condition.text not in _words_of(view):
        return Proof(condition, False, found=_words_of(view), note=OTHER_WORDS, deficit=1, evidence=1)
    if condition.selector and not _touched(condition.selector, view):
        return Proof(condition, False, found=action.kind, note=OTHER_NODE, deficit=1, evidence=1)
    return Proof(condition, True, found=action.kind, evidence=1)


def _words_of(view: StateView) -> str:
    action = view.action
    if isinstance(action, (Type, Answer)):
        return action.text
    if isinstance(action, Key):
        return action.key
    return f"{action.package} {action.name}" if isinstance(action, OpenApp) else ""


def _touched(selector: str, view: StateView) -> bool:
    """Whether the node the last action landed on, in the state it was done in, matches."""
    if view.target is None:
        return False
    before = view.previous
    node = before.tree.at_path(view.target.path) if before is not None and before.tree is not None else None
    if before is not None and node is not None:
        return any(one is node for one in before.find(selector))
    compound = compiled_selector(selector).compound
    if compound is None or compound.relation or compound.position is not None:
        return selector in view.target.selectors
    bare = Node(0, view.target.attributes)
    return all(term.matches(bare) for term in compound.terms)


def _state_reached(condition: StateReached, view: StateView) -> Proof:
    holds = condition.state in view.reached
    return Proof(condition, holds, deficit=not holds, evidence=holds)


def _unknown(condition: Unknown, _view: StateView) -> Proof:
    return Proof(condition, False, note=UNREADABLE, deficit=1)


def _orders(nodes: Iterable[Node]) -> tuple[int, ...]:
    return tuple(node.order for node in list(nodes)[:_ENOUGH])


_PROVERS: dict[type[Condition], Callable[..., Proof]] = {
    SemanticElementExists: _semantic,
    CurrentActivityIs: _activity,
    CurrentPackageIs: _package,
    ElementExists: _exists,
    ElementNotExists: _not_exists,
    ElementProperty: _property,
    ElementPropertyContains: _property,
    ElementTextEquals: _text,
    ElementTextContains: _text,
    TextMatches: _matches,
    MinStep: _min_step,
    ActionWas: _action_was,
    StateReached: _state_reached,
    Unknown: _unknown,
}
