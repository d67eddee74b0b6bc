"""Proofs in words: one sentence a clause, and what the nearest miss was."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from collector.hierarchy.errors import SelectorError
from collector.model.i18n import N_, _, ngettext
from collector.model.tree import Node
from collector.rules.evaluation import dgara_semantics as dgara
from collector.rules.evaluation.image_matching import NO_PICTURE
from collector.rules.evaluation.near_miss import Miss, nearest_node, nearest_word
from collector.rules.evaluation.proof import CRASHES, Outcome, Proof
from collector.rules.evaluation.state_view import StateView
from collector.rules.evaluation.waymark_semantics import OTHER_NODE, OTHER_WORDS, TOO_EARLY, UNREADABLE
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

_NOTES = {
    UNREADABLE: N_("It cannot be evaluated as it is written"),
    NO_PICTURE: N_("The picture it names cannot be read"),
    CRASHES: N_("D-GARA's engine would stop here with an error"),
    dgara.IGNORED: N_("D-GARA takes no notice of it"),
    dgara.EMPTY: N_("D-GARA never passes a rule without conditions"),
    dgara.BAD_SELECTOR: N_("D-GARA cannot read the selector, so it finds nothing"),
    dgara.UNKNOWN_TYPE: N_("D-GARA does not know it, so it is false"),
    dgara.NO_TREE: N_("D-GARA sees no nodes in this dump"),
}
OUTCOMES = {Outcome.FIRES: N_("fires"), Outcome.NEAR: N_("near miss"), Outcome.SILENT: N_("silent")}
"""What a rule does on a state, in words."""
_LONGEST = 60
_LONGEST_TAG = 24
_NOT_SHOWN = ("place", "raw", "min_step")


def title(condition: Condition) -> str:
    """A condition in one line: ``element_exists resource-id='app:id/cart'``."""
    if isinstance(condition, Group):
        return {"all": _("all of"), "any": _("any of"), "not": _("none of")}[condition.kind]
    if isinstance(condition, Unknown):
        return condition.written or _("a condition without a type")
    values = [value for key, value in vars(condition).items() if key not in _NOT_SHOWN and value]
    shown = [", ".join(value) if isinstance(value, tuple) else str(value) for value in values]
    return " ".join((condition.type, *(_cut(one) for one in shown)))


def reason(proof: Proof, view: StateView) -> str:
    """Why this clause holds or does not, in one sentence with what stands on the screen."""
    if proof.note in _NOTES:
        return _(_NOTES[proof.note])
    if proof.note == TOO_EARLY:
        return _too_early(proof, view)
    explained = _EXPLAINERS.get(type(proof.condition))
    said = explained(proof, proof.condition, view) if explained is not None else ""
    if proof.note == dgara.FIRST_MATCH and not proof.holds and (count := _matching(proof, view)) > 1:
        return _("{said}; D-GARA looks at the first of {count} nodes alone", said=said, count=count)
    return said


def _too_early(proof: Proof, view: StateView) -> str:
    first = proof.condition.min_step
    if first <= view.step:  # a number only D-GARA takes for one
        return _("This step comes too early")
    return _("Step {step} comes before step {first}", step=view.step, first=first)


def _matching(proof: Proof, view: StateView) -> int:
    try:
        return len(view.find(getattr(proof.condition, "selector", "")))
    except SelectorError:
        return 0


def _keywords(proof: Proof, _condition: SemanticElementExists, view: StateView) -> str:
    count = proof.have + len(proof.missing)  # D-GARA takes a single text letter by letter
    if not count:
        return _("It has no keywords")
    said = _("{have} of {count} keywords, needs {need}", have=proof.have, count=count, need=proof.need)
    if proof.holds:
        return said
    if proof.need > count:
        return _("{said}, which is more than there are", said=said)
    for word in proof.missing:
        if miss := nearest_word(word, view):
            there = _quote(_cut(miss.node.label))
            return _(
                "{said}; nearest miss: {word} (the screen has {label})",
                said=said, word=_quote(word), label=there,
            )  # fmt: skip
    words = ", ".join(_quote(_cut(one, _LONGEST_TAG)) for one in proof.missing[:4])
    return _("{said}; not seen: {words}", said=said, words=words)


def _activity(proof: Proof, condition: CurrentActivityIs, _view: StateView) -> str:
    if proof.holds:
        return _("The activity is {name}", name=condition.value)
    here = proof.found or _("not known")
    return _("The activity is {here}, wanted {name}", here=here, name=condition.value)


def _package(proof: Proof, condition: CurrentPackageIs, _view: StateView) -> str:
    if proof.holds:
        return _("The package is {name}", name=condition.value)
    here = proof.found or _("not known")
    return _("The package is {here}, wanted {name}", here=here, name=condition.value)


def _exists(proof: Proof, condition: ElementExists, view: StateView) -> str:
    if proof.holds:
        return _nodes_match(max(1, proof.have))
    miss = nearest_node(condition.selector, view)
    return _no_node_matches(condition.selector, miss)


def _no_node_matches(selector: str, miss: Miss | None) -> str:
    if miss is None:
        return _("No node matches")
    if not miss.found and miss.wanted == selector:
        name = _name(miss.node)
        return _("{name} is there, but not {relation} what it should be", name=name, relation=miss.attribute)
    found = _quote(_cut(miss.found)) if miss.found else _("nothing")
    return _(
        "No node matches; nearest miss: {attribute} is {found}, wanted {wanted}",
        attribute=miss.attribute, found=found, wanted=_quote(_cut(miss.wanted)),
    )  # fmt: skip


def _not_exists(proof: Proof, _condition: ElementNotExists, _view: StateView) -> str:
    return _("No node matches") if proof.holds else _nodes_match(max(1, proof.have))


def _nodes_match(count: int) -> str:
    return ngettext("One node matches", "{count} nodes match", count)


def _property(proof: Proof, condition: ElementProperty, view: StateView) -> str:
    contains = isinstance(condition, ElementPropertyContains)
    return _on_nodes(
        proof, condition.selector, condition.attribute, condition.value, view, contains=contains
    )  # fmt: skip


def _text(proof: Proof, condition: ElementTextEquals, view: StateView) -> str:
    contains = isinstance(condition, ElementTextContains)
    return _on_nodes(proof, condition.selector, "text", condition.text, view, contains=contains)


def _on_nodes(
    proof: Proof, selector: str, name: str, wanted: str, view: StateView, *, contains: bool
) -> str:  # fmt: skip
    value = _quote(_cut(wanted))
    if proof.holds:
        return _("{name} contains {value}", name=name, value=value) if contains else _(
            "{name} is {value}", name=name, value=value
        )  # fmt: skip
    if not proof.near:
        return _no_node_matches(selector, nearest_node(selector, view))
    have = _quote(_cut(proof.found)) if proof.found else _("nothing")
    if contains:
        return _("{name} is {have} here, which does not contain {value}", name=name, have=have, value=value)
    return _("{name} is {have} here, wanted {value}", name=name, have=have, value=value)


def _matches(proof: Proof, condition: TextMatches, _view: StateView) -> str:
    if proof.holds:
        return _nodes_match(proof.have)
    return _("No text matches {pattern}", pattern=_cut(condition.pattern))


def _min_step(proof: Proof, condition: MinStep, view: StateView) -> str:
    if proof.holds:
        return _("This is step {step}", step=view.step)
    return _("This is step {step}, wanted {first} or later", step=view.step, first=condition.value)


def _action_was(proof: Proof, condition: ActionWas, _view: StateView) -> str:
    done = proof.found or _("nothing")
    if proof.holds:
        return _("The action was {action}", action=done)
    if proof.note == OTHER_NODE:
        return _("The action was {action}, on another node", action=done)
    if proof.note == OTHER_WORDS:
        return _(
            "The words were {words}, wanted {text}", words=_quote(_cut(done)), text=_quote(condition.text)
        )
    return _("The action was {action}, wanted {wanted}", action=done, wanted=condition.action)


def _reached(proof: Proof, _condition: StateReached, _view: StateView) -> str:
    return _("It was reached") if proof.holds else _("It was not reached yet")


def _image(proof: Proof, condition: ImageMatches, _view: StateView) -> str:
    if proof.score is None:
        return _("There is no screenshot to look at")
    score, least = f"{proof.score:.2f}", f"{condition.threshold:g}"
    return _("Best match {score}, needs {threshold}", score=score, threshold=least)


def _group(proof: Proof, condition: Group, _view: StateView) -> str:
    total = len(proof.parts)
    if not total:
        return _("There is nothing in it")
    count = sum(part.holds for part in proof.parts)
    if condition.kind == "not" and not proof.holds:
        return ngettext("One holds, and none may", "{count} hold, and none may", count)
    return _("{count} of {total} hold", count=count, total=total)


def _unknown(proof: Proof, _condition: Unknown, _view: StateView) -> str:
    """What only D-GARA can make something of; read strictly it has a note."""
    if proof.holds:
        return _("D-GARA takes it for true as it is written")
    return _("D-GARA takes it for false as it is written")


_EXPLAINERS: dict[type[Condition], Callable[[Proof, Any, StateView], str]] = {
    SemanticElementExists: _keywords,
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
    StateReached: _reached,
    ImageMatches: _image,
    Group: _group,
    Unknown: _unknown,
}


def nodes_of(proof: Proof, view: StateView) -> list[Node]:
    """The nodes that satisfy a clause, to be lit on the screen; for keywords, every node that has one."""
    if isinstance(proof.condition, SemanticElementExists):
        hits = [word for word in proof.condition.keywords if word not in proof.missing]
        found = {node.order: node for word in hits for node in view.nodes_with(word)}
        return [found[order] for order in sorted(found)]
    return [view.nodes[order] for order in proof.nodes if order < len(view.nodes)]


def near_nodes_of(proof: Proof, view: StateView) -> list[tuple[Node, str]]:
    """Nodes that nearly satisfy a missed clause, each with what was wanted of it and what it is."""
    condition = proof.condition
    if proof.holds:
        return []
    if isinstance(condition, SemanticElementExists):
        misses = [nearest_word(word, view) for word in proof.missing]
        return [(miss.node, _tag(miss.wanted, miss.found)) for miss in misses if miss is not None]
    if isinstance(condition, (ElementProperty, ElementTextEquals)) and proof.near:
        wanted = condition.value if isinstance(condition, ElementProperty) else condition.text
        return _at(proof.near, view, _tag(wanted, proof.found))
    if isinstance(condition, ElementNotExists):
        return _at(proof.nodes, view, _("should not be here"))
    if isinstance(condition, (ElementExists, ElementProperty, ElementTextEquals)):
        miss = nearest_node(condition.selector, view)
        if miss is not None:
            relation = miss.wanted == condition.selector
            return [
                (
                    miss.node,
                    _("not {relation}", relation=miss.attribute)
                    if relation
                    else _tag(miss.wanted, miss.found),
                )
            ]
    return []


def _at(orders: tuple[int, ...], view: StateView, tag: str) -> list[tuple[Node, str]]:
    return [(view.nodes[order], tag) for order in orders if order < len(view.nodes)]


def _tag(wanted: str, found: str) -> str:
    return f"{_quote(_cut(wanted, _LONGEST_TAG))} ~ {_quote(_cut(found, _LONGEST_TAG))}"


def _name(node: Node) -> str:
    return _quote(_cut(node.label)) if node.label else node.short_id or node.short_class


def _cut(text: str, longest: int = _LONGEST) -> str:
    return text if len(text) <= longest else text[: longest - 3] + "..."


def _quote(text: str) -> str:
    return f"'{text}'"
