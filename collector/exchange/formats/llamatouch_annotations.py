"""Essential states as LlamaTouch's annotations: ``<i>.ess``, beside the nodes it numbers, ``<i>.json``.

A state is annotated on the screen of the golden trajectory where its rule holds first, by what held there.
What was done is annotated on the screen before, as LlamaTouch's own annotations are.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence
from typing import Any

from collector.exchange.exchange_log import NOTE, ExchangeLog
from collector.exchange.formats.llamatouch_apps import name_of
from collector.exchange.formats.llamatouch_states import FLAGS
from collector.exchange.scripts.locators import locators_of
from collector.hierarchy.errors import SelectorError
from collector.hierarchy.selectors import parse_selector
from collector.judge.evaluation.task_evaluation import TaskEvaluation
from collector.judge.evaluation.task_rules import TaskRules
from collector.model.i18n import _
from collector.model.tree import Node, Tree
from collector.rules.columns.corpus import Corpus
from collector.rules.conditions.action_was import ActionWas
from collector.rules.conditions.app_is_installed import AppIsInstalled
from collector.rules.conditions.current_activity_is import CurrentActivityIs
from collector.rules.conditions.current_package_is import CurrentPackageIs
from collector.rules.conditions.element_exists import ElementExists
from collector.rules.conditions.element_property import ElementProperty
from collector.rules.conditions.element_text import ElementTextContains, ElementTextEquals
from collector.rules.conditions.semantic_element_exists import SemanticElementExists
from collector.rules.conditions.state_reached import StateReached
from collector.rules.conditions.text_matches import TextMatches
from collector.rules.evaluation.proof import Proof
from collector.rules.grammar.model import Condition, Group
from collector.store.trajectory.reader import StoredTrajectory

WHOLE_SCREEN = "-1"


class ScreenAnnotations:
    """What the screens of a trajectory are annotated with, and the nodes that the annotations number."""

    def __init__(self, stored: StoredTrajectory, rules: TaskRules, log: ExchangeLog) -> None:
        """What LlamaTouch has no word for goes into ``log``."""
        self._stored, self._log = stored, log
        self._trees: dict[int, Tree | None] = {}
        self._listed: dict[int, dict[int, int]] = {}
        """By screen the number of each node in its list, by the node's place in the tree."""
        self._entries: dict[int, list[str]] = defaultdict(list)
        evaluation = TaskEvaluation(rules)
        corpus, steps = Corpus([stored]), stored.steps
        evaluation.see_recorded((corpus.view(index) for index in range(len(steps))), steps)
        for state in rules.states:
            said = state.description or state.id
            if state.id in evaluation.reached:
                number, proof = evaluation.reached[state.id]
                self._annotate(min(number, len(steps)) - 1, proof, said)
            elif state.id not in rules.judged:
                text = _("No rule says when this state is reached, so it is not checked: {state}", state=said)
                log.add("state-left-out", text)
            else:
                text = _(
                    "The rules do not see this state reached, so it is not annotated: {state}", state=said
                )
                log.add("state-left-out", text)

    def essential(self, index: int) -> str:
        """The text of a screen's ``.ess``; empty for a screen that is not annotated."""
        return "|".join(dict.fromkeys(self._entries.get(index, ())))

    def nodes(self, index: int) -> list[dict[str, Any]]:
        """The list of nodes of a screen's ``.json``."""
        tree = self._tree(index)
        if tree is None:
            return []
        return [_described(tree, tree.nodes[order], place) for order, place in self._list(index).items()]

    def _annotate(self, index: int, proof: Proof, state: str) -> None:
        for condition, part in _holding(proof):
            at = max(index - 1, 0) if isinstance(condition, ActionWas) else index
            entry = self._entry(at, condition, part)
            if entry:
                self._entries[at].append(entry)
            else:
                text = _("A condition of the kind {kind} is not annotated: LlamaTouch has no word for it",
                         kind=condition.type or "all | any | not")  # fmt: skip
                self._log.add("condition-left-out", f"{text} ({state})", step=at)

    def _entry(self, index: int, condition: Condition, proof: Proof) -> str:
        match condition:
            case CurrentActivityIs():
                return f"activity<{WHOLE_SCREEN}>"
            case CurrentPackageIs():
                self._stricter(index, "activity")
                return f"activity<{WHOLE_SCREEN}>"
            case SemanticElementExists():
                text = _("Whole screens are compared by their words, and not by a model")
                self._log.add("screen-by-words", text, severity=NOTE)
                return f"fuzzy<{WHOLE_SCREEN}>"
            case AppIsInstalled():
                return f"check_install<{name_of(condition.value)}>"
            case ActionWas(action="type", text=typed) if typed:
                return f"type<{typed}>"
            case ActionWas(action="tap", selector=selector) if selector:
                return self._numbered("click", index, self._found(index, selector))
            case ElementTextContains() | TextMatches():
                self._stricter(index, "fuzzy")
                return self._numbered("fuzzy", index, proof.nodes[:1])
            case ElementTextEquals():
                return self._numbered("fuzzy", index, proof.nodes[:1])
            case ElementExists() if _asks_for_text(condition.selector):
                return self._numbered("fuzzy", index, proof.nodes[:1])
            case ElementExists() | ElementProperty():
                self._stricter(index, "exact")
                return self._numbered("exact", index, proof.nodes[:1])
        return ""

    def _stricter(self, index: int, keyword: str) -> None:
        text = _("{keyword} of LlamaTouch compares more than the condition asks for", keyword=keyword)
        self._log.add("condition-stricter", text, step=index)

    def _numbered(self, keyword: str, index: int, orders: Sequence[int]) -> str:
        """The entry for a node, which is listed then; empty when there is none."""
        tree = self._tree(index)
        if tree is None or not orders:
            return ""
        listed = self._list(index)
        return f"{keyword}<{listed.setdefault(orders[0], len(listed))}>"

    def _found(self, index: int, selector: str) -> Sequence[int]:
        """The place in the tree of what was touched at a step, when it fits a selector."""
        tree, target = self._tree(index), self._stored.steps[index].target
        node = tree.at_path(target.path) if tree is not None and target is not None else None
        try:
            fits = set(parse_selector(selector).find(tree)) if tree is not None else set()
        except SelectorError:
            return ()
        around = (node, *node.ancestors()) if node is not None else ()
        return [each.order for each in around if each in fits]

    def _tree(self, index: int) -> Tree | None:
        if index not in self._trees:
            from collector.comparison.alignment.reading import read_tree  # loads OpenCV

            self._trees[index] = read_tree(self._stored, self._stored.steps[index])
        return self._trees[index]

    def _list(self, index: int) -> dict[int, int]:
        if index not in self._listed:
            tree = self._tree(index)
            orders = [node.order for node in tree or () if _is_listed(node)]
            self._listed[index] = {order: place for place, order in enumerate(orders)}
        return self._listed[index]


def _holding(proof: Proof) -> Iterator[tuple[Condition, Proof]]:
    """The conditions that held, of alternatives those of the first; states that came before are left out."""
    condition = proof.condition
    if not isinstance(condition, Group) or condition.kind == "not":
        if not isinstance(condition, StateReached):
            yield condition, proof
        return
    holding = [part for part in proof.parts if part.holds]
    for part in holding[:1] if condition.kind == "any" else holding:
        yield from _holding(part)


def _asks_for_text(selector: str) -> bool:
    """Whether a selector asks for a text and for nothing else."""
    try:
        compound = parse_selector(selector).compound
    except SelectorError:
        return False
    if compound is None or compound.anchor is not None or compound.position is not None:
        return False
    return [(term.attribute, term.operator) for term in compound.terms] == [("text", "=")]


def _is_listed(node: Node) -> bool:
    """Whether a node says something, or can be touched and has no parts."""
    is_seen = node.bounds is not None and not node.bounds.is_empty and node.get("visible-to-user") != "false"
    can_be_touched = not node.children and (node.clickable or node.flag("checkable"))
    return is_seen and (bool(node.label) or can_be_touched)


def _described(tree: Tree, node: Node, number: int) -> dict[str, Any]:
    """A node as LlamaTouch's lists have it, with the XPath by which a touch of it is checked."""
    bounds = node.bounds
    sides = f"[{bounds.left},{bounds.top}][{bounds.right},{bounds.bottom}]" if bounds is not None else ""
    locator = next(locators_of(tree, node, ()), None)
    return {
        "id": number, "class": node.class_name, "text": node.text, "resource-id": node.resource_id,
        "content-desc": node.content_desc, "bounds": sides, **{name: node.flag(name) for name in FLAGS},
        "visible": node.get("visible-to-user") != "false",
        "xpath": locator.xpath if locator is not None else "",
    }  # fmt: skip
