"""Find the nodes of a tree that an XPath selects; elements are named by class, or all ``node``."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

from collector.hierarchy.errors import SelectorError
from collector.hierarchy.xpath.compiled import Compiled
from collector.hierarchy.xpath.compiler import compile_expression
from collector.hierarchy.xpath.document import HIERARCHY, document_of
from collector.hierarchy.xpath.evaluation import MAX_STEPS, Evaluation
from collector.hierarchy.xpath.limits import check_complexity
from collector.hierarchy.xpath.parser import parse_xpath
from collector.hierarchy.xpath.syntax import Expression, NodeTest, Path, walk
from collector.hierarchy.xpath.values import Kind
from collector.model.i18n import _
from collector.model.tree import Node, Tree

_NODE = NodeTest("node")


def looks_like_xpath(text: str) -> bool:
    """Whether ``text`` can only be meant as XPath."""
    return text.startswith(("/", "./", "("))


@dataclass(frozen=True, slots=True)
class CompiledXPath:
    """An XPath that selects nodes; ``plain`` says that it names elements ``node``."""

    code: Compiled
    plain: bool


@lru_cache(maxsize=1024)
def compile_xpath(text: str) -> CompiledXPath:
    """Raises SelectorError for what is no XPath, selects no nodes, or would take too long on any screen."""
    expression = parse_xpath(text)
    check_complexity(expression)
    code = compile_expression(expression)
    if code.kind is not Kind.NODES:
        raise SelectorError(
            _("The XPath gives a value, not nodes"), "", _("Select nodes, as in //node[@text='Sign in']")
        )
    return CompiledXPath(code, _names_a_node(expression))


def find_xpath(tree: Tree, path: str, max_steps: int = MAX_STEPS) -> list[Node]:
    """Return the nodes ``path`` selects, in document order; an attribute stands for its node.

    Raises SelectorError as :func:`compile_xpath`, and TooManyStepsError after ``max_steps``.
    """
    xpath = compile_xpath(path)
    document = document_of(tree)
    evaluation = Evaluation(document, plain=xpath.plain, limit=max_steps)
    members = xpath.code.code(evaluation, HIERARCHY, 1, 1)
    nodes = dict.fromkeys(map(document.node_of, members))
    return [node for node in nodes if node is not None]


def _names_a_node(expression: Expression) -> bool:
    """Whether a step is called ``node``, as all elements are then."""
    paths = [part for part in walk(expression) if isinstance(part, Path)]
    return any(step.test == _NODE and step.axis != "attribute" for path in paths for step in path.steps)
