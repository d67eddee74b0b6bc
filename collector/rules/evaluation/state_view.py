"""What a rule can see: one state, its step and the action that led to it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING

from collector.hierarchy.xpath.evaluation import TooManyStepsError
from collector.model.action import Action
from collector.model.app_data.collections import AppData
from collector.model.trajectory import Target
from collector.model.tree import Node, Tree

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

    RgbImage = npt.NDArray[np.uint8]

WORDS_OF = ("text", "resource-id", "content-desc")
"""Attributes in which keywords are looked for."""
BETWEEN = "\x00"
"""Separates the values of two nodes, so that no keyword matches across them."""
_NO_TREE = Tree(())


def _no_picture() -> RgbImage | None:
    return None


def _no_app_data() -> AppData | None:
    return None


@dataclass(eq=False)
class StateView:
    """One observed moment as rules see it. Not thread-safe: its indexes are built on first use.

    ``tree`` is None when none was captured; ``xml`` is the dump as the phone gave it, which D-GARA's
    semantics read; ``picture`` gives the screen as height x width x 3 RGB when it can be had.
    """

    tree: Tree | None = None
    xml: bytes = b""
    package: str = ""
    activity: str = ""
    step: int = 1
    """Number of the step, from 1."""
    action: Action | None = None
    """The action in the state before, which led to this one."""
    target: Target | None = None
    """The node that action landed on."""
    previous: StateView | None = None
    reached: AbstractSet[str] = frozenset()
    """Essential states reached at this step or before it."""
    undecided: AbstractSet[str] = frozenset()
    """Essential states of which no rule can say so far whether they were reached."""
    apps: AbstractSet[str] | None = None
    """Packages on the phone; None when its list was not read."""
    follows_last: bool = False
    """Whether this is the moment after the last action, of which no screen was recorded."""
    picture: Callable[[], RgbImage | None] = _no_picture
    app_data: Callable[[], AppData | None] = _no_app_data
    """Gives what apps keep for the person; None when it is not known."""
    key: str = ""
    """Content hash of what a condition on the screen alone can see; empty = never cached."""
    _keywords: dict[str, bool] = field(default_factory=dict, repr=False)
    _selected: dict[str, tuple[Node, ...] | None] = field(default_factory=dict, repr=False)
    """Nodes by selector; None for an XPath that was given up."""

    def follow(self, last: StateView | None) -> None:
        """Come after ``last``; when both have one step, this is another look at the same state.

        A rule looks back one screen: what is before ``last`` is let go.
        """
        if last is None or last.step != self.step:
            self.previous = last
            if last is not None:
                last.previous = None
        else:
            self.previous = last.previous

    def copy(self) -> StateView:
        """Copy the screen and the one before it for another thread, without what was worked out of them."""
        copied, before = self._alone(), self.previous
        copied.previous = before._alone() if before is not None else None
        return copied

    def _alone(self) -> StateView:
        return StateView(
            self.tree, self.xml, self.package, self.activity, self.step, self.action, self.target, None,
            self.reached, self.undecided, self.apps, self.follows_last, self.picture, self.app_data, self.key,
        )  # fmt: skip

    @property
    def screens(self) -> int:
        """How many screens were recorded up to this moment, which ``min_step`` asks for."""
        return self.step - self.follows_last

    @property
    def nodes(self) -> tuple[Node, ...]:
        return (self.tree or _NO_TREE).nodes

    @property
    def has_nodes(self) -> bool:
        """Whether there is a tree with nodes; makes none of them."""
        return bool(self.tree)

    @cached_property
    def words(self) -> str:
        """Texts, ids and descriptions of all nodes, lower-cased, :data:`BETWEEN` each."""
        read = [node.attributes.get for node in self.nodes]
        values = [value for get in read for name in WORDS_OF if (value := get(name))]
        return BETWEEN.join(values).lower()

    def has_keyword(self, keyword: str) -> bool:
        """Whether some node's text, id or description contains ``keyword``, without regard to case."""
        known = self._keywords.get(keyword)
        if known is None:
            wanted = keyword.lower()
            known = self._keywords[keyword] = wanted in self.words and BETWEEN not in wanted
        return known

    def nodes_with(self, keyword: str) -> list[Node]:
        """The nodes whose text, id or description contains ``keyword``."""
        wanted = keyword.lower()
        return [node for node in self.nodes if any(wanted in node.get(name).lower() for name in WORDS_OF)]

    def find(self, selector: str) -> tuple[Node, ...]:
        """Every node ``selector`` names, in document order.

        Raises SelectorError when it cannot be read, and TooManyStepsError when it is given up on this screen.
        """
        if selector not in self._selected:
            try:
                self._selected[selector] = self._find(selector)
            except TooManyStepsError:
                self._selected[selector] = None
        nodes = self._selected[selector]
        if nodes is None:
            raise TooManyStepsError
        return nodes

    def _find(self, selector: str) -> tuple[Node, ...]:
        from collector.hierarchy.fast_reader import nodes_with  # loads numpy
        from collector.rules.grammar.value_reader import compiled_selector

        parsed = compiled_selector(selector)
        compound = parsed.compound
        if compound is not None and not compound.relation and compound.position is None:
            first = compound.terms[0]
            if first.operator == "=":
                likely = nodes_with(self.tree, first.attribute, first.value)
                if likely is None:
                    likely = self.by_attribute(first.attribute).get(first.value, [])
                if len(compound.terms) == 1:
                    return tuple(likely)
                return tuple(
                    node for node in likely if all(term.matches(node) for term in compound.terms[1:])
                )
        return tuple(parsed.find(self.tree or _NO_TREE))

    def by_attribute(self, name: str) -> Mapping[str, list[Node]]:
        """Nodes by the value of one attribute, in document order."""
        index = self._indexes.get(name)
        if index is None:
            index = self._indexes[name] = {}
            for node in self.nodes:
                value = node.attributes.get(name)
                if value is not None:
                    index.setdefault(value, []).append(node)
        return index

    @cached_property
    def _indexes(self) -> dict[str, dict[str, list[Node]]]:
        return {}


def main_package(packages: Iterable[str]) -> str:
    """The package most nodes belong to, given that of each: whose screen a dump shows."""
    counts = Counter(package for package in packages if package)
    return counts.most_common(1)[0][0] if counts else ""


def full_activity(package: str, activity: str) -> str:
    """``.Results`` of ``com.example.shop`` as ``com.example.shop.Results``; a full name stays."""
    package, _slash, short = activity.rpartition("/") if "/" in activity else (package, "", activity)
    if short.startswith("."):
        return package + short
    return short if "." in short or not short or not package else f"{package}.{short}"
