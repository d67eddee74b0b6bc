"""Parse an XPath expression into its syntax tree."""

from __future__ import annotations

from collections.abc import Iterable

from collector.hierarchy.errors import SelectorError
from collector.hierarchy.xpath.syntax import (
    ANY_NODE,
    Call,
    Chain,
    Expression,
    Filter,
    Literal,
    Negation,
    NodeTest,
    Path,
    PathStep,
)
from collector.hierarchy.xpath.tokens import (
    END,
    LITERAL,
    NAME,
    NUMBER,
    OPERATOR,
    Token,
    tokens_of,
    unreadable,
)
from collector.model.i18n import _

MAX_NESTING = 20
"""Brackets inside one another; the parser and the evaluation recurse as deep."""
AXES = frozenset((
    "ancestor", "ancestor-or-self", "attribute", "child", "descendant", "descendant-or-self", "following",
    "following-sibling", "parent", "preceding", "preceding-sibling", "self",
))  # fmt: skip
NODE_TYPES = frozenset(("node", "text", "comment", "processing-instruction"))
_RANKS = (("or",), ("and",), ("=", "!="), ("<", "<=", ">", ">="), ("+", "-"), ("*", "div", "mod"))
"""Operators that bind ever closer."""
_DESCENDANTS = PathStep("descendant-or-self", ANY_NODE)
"""The step that ``//`` stands for."""


def parse_xpath(text: str) -> Expression:
    """Raises SelectorError, which names the place of the mistake."""
    parser = _Parser(text)
    expression = parser.expression()
    parser.expect_end()
    return expression


class _Parser:
    def __init__(self, text: str) -> None:
        self._text = text
        self._tokens = list(tokens_of(text))
        self._at = 0
        self._nesting = 0

    def expression(self, rank: int = 0) -> Expression:
        if rank == len(_RANKS):
            return self._negation()
        first = self.expression(rank + 1)
        rest = []
        while operator := self._take_operator(_RANKS[rank]):
            rest.append((operator, self.expression(rank + 1)))
        return Chain(first, tuple(rest)) if rest else first

    def expect_end(self) -> None:
        if self._next.kind != END:
            raise self._error(_("The expression is complete before this"))

    # -- tokens --------------------------------------------------------------
    @property
    def _next(self) -> Token:
        return self._tokens[self._at]

    def _after_next(self) -> str:
        """The text of the token after the next one; empty at the end."""
        return self._tokens[min(self._at + 1, len(self._tokens) - 1)].text

    def _advance(self) -> str:
        token = self._next
        self._at += 1
        return token.text

    def _take(self, word: str) -> bool:
        """Skip ``word`` if it is next."""
        is_next = self._next.text == word
        self._at += is_next
        return is_next

    def _take_operator(self, words: Iterable[str]) -> str:
        """Skip one of some operators; empty when none of them is next."""
        return self._advance() if self._next.kind == OPERATOR and self._next.text in words else ""

    def _expect(self, word: str) -> None:
        if not self._take(word):
            raise self._error(_("{text} was expected here", text=word))

    def _error(self, why: str) -> SelectorError:
        return unreadable(self._text, self._next.at, why)

    # -- operands ------------------------------------------------------------
    def _negation(self) -> Expression:
        count = 0
        while self._take_operator(("-",)):
            count += 1
        operand = self._union()
        for _minus in range(2 - count % 2 if count else 0):  # two make a number of a text, as four do
            operand = Negation(operand)
        return operand

    def _union(self) -> Expression:
        first = self._path()
        rest = []
        while operator := self._take_operator(("|",)):
            rest.append((operator, self._path()))
        return Chain(first, tuple(rest)) if rest else first

    def _path(self) -> Expression:
        if self._take_operator(("/",)):
            return Path(self._steps() if self._begins_step() else (), is_absolute=True)
        if self._take_operator(("//",)):
            return Path((_DESCENDANTS, *self._steps()), is_absolute=True)
        if not self._begins_primary():
            return Path(self._steps())
        primary = self._primary()
        predicates = self._predicates()
        start = Filter(primary, predicates) if predicates else primary
        if self._take_operator(("/",)):
            return Path(self._steps(), start=start)
        if self._take_operator(("//",)):
            return Path((_DESCENDANTS, *self._steps()), start=start)
        return start

    def _begins_primary(self) -> bool:
        token = self._next
        is_call = token.kind == NAME and token.text not in NODE_TYPES and self._after_next() == "("
        return is_call or token.kind in (NUMBER, LITERAL) or token.text == "("

    def _primary(self) -> Expression:
        kind = self._next.kind
        if kind == NUMBER:
            return Literal(float(self._advance()))
        if kind == LITERAL:
            return Literal(self._advance()[1:-1])
        if kind == NAME:
            return Call(self._advance(), self._arguments())
        self._expect("(")
        expression = self._nested()
        self._expect(")")
        return expression

    def _arguments(self) -> tuple[Expression, ...]:
        self._expect("(")
        if self._take(")"):
            return ()
        arguments = [self._nested()]
        while self._take(","):
            arguments.append(self._nested())
        self._expect(")")
        return tuple(arguments)

    def _nested(self) -> Expression:
        """The expression within brackets."""
        if self._nesting == MAX_NESTING:
            raise self._error(_("Brackets are nested more than {limit} deep", limit=MAX_NESTING))
        self._nesting += 1
        expression = self.expression()
        self._nesting -= 1
        return expression

    # -- steps ---------------------------------------------------------------
    def _begins_step(self) -> bool:
        return self._next.kind == NAME or self._next.text in (".", "..", "@", "*")

    def _steps(self) -> tuple[PathStep, ...]:
        steps = [self._step()]
        while separator := self._take_operator(("/", "//")):
            if separator == "//":
                steps.append(_DESCENDANTS)
            steps.append(self._step())
        return tuple(steps)

    def _step(self) -> PathStep:
        if not self._begins_step():
            raise self._error(_("A step was expected here, as in node or @text"))
        if self._take("."):
            return PathStep("self", ANY_NODE)
        if self._take(".."):
            return PathStep("parent", ANY_NODE)
        return PathStep(self._axis(), self._node_test(), self._predicates())

    def _axis(self) -> str:
        if self._take("@"):
            return "attribute"
        if self._after_next() != "::":
            return "child"
        if self._next.text not in AXES:
            raise self._error(_("There is no axis of this name"))
        axis = self._advance()
        self._expect("::")
        return axis

    def _node_test(self) -> NodeTest:
        if self._take("*"):
            return NodeTest("*")
        if self._next.kind != NAME:
            raise self._error(_("The name of an element or attribute was expected here"))
        if self._after_next() != "(":
            return NodeTest(self._advance())
        if self._next.text not in NODE_TYPES:
            raise self._error(_("The name of an element or attribute was expected here"))
        name = self._advance()
        self._expect("(")
        if name == "processing-instruction" and self._next.kind == LITERAL:
            self._advance()
        self._expect(")")
        return NodeTest(name, is_type=True)

    def _predicates(self) -> tuple[Expression, ...]:
        predicates = []
        while self._take("["):
            predicates.append(self._nested())
            self._expect("]")
        return tuple(predicates)
