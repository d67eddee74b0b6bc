"""Parse an awk program: rules, functions, statements and expressions as nested tuples.

A node is a tuple whose first item is its kind: ``("binary", "+", left, right)``, ``("field", index)``.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from collector.virtual.shell.awk.lexer import AwkError, Token, tokens

Node = tuple[Any, ...]

_ASSIGNMENTS = frozenset({"=", "+=", "-=", "*=", "/=", "%=", "^="})
_COMPARISONS = frozenset({"<", "<=", "==", "!=", ">", ">="})
_STARTS = frozenset({"name", "call", "number", "string", "regex", "$", "!", "(", "-", "+", "++", "--"})
"""What begins an operand of a concatenation."""
_MAX_DEPTH = 150


@dataclass(slots=True)
class Program:
    """The parts of a program. A pattern is an expression, a pair of them (a range), or None."""

    begin: list[Node] = field(default_factory=list)
    rules: list[tuple[Node | None, Node | None, Node | None]] = field(default_factory=list)
    """Pattern, end of a range, and what is done (None: print)."""
    end: list[Node] = field(default_factory=list)
    functions: dict[str, tuple[list[str], Node]] = field(default_factory=dict)


def parse(source: str) -> Program:
    """Parse a program; AwkError when it is none."""
    return _Parser(tokens(source)).program()


class _Parser:
    def __init__(self, found: list[Token]) -> None:
        self._tokens = found
        self._at = 0
        self._depth = 0
        self._no_greater = False
        """Inside ``print``, where ``>`` redirects."""

    @property
    def _kind(self) -> str:
        return self._tokens[self._at].kind

    def _take(self, *kinds: str) -> str | None:
        if self._kind in kinds:
            self._at += 1
            return self._tokens[self._at - 1].text
        return None

    def _expect(self, kind: str) -> str:
        text = self._take(kind)
        if text is None:
            raise self._error()
        return text

    def _error(self) -> AwkError:
        line = sum(token.kind == "newline" for token in self._tokens[: self._at]) + 1
        return AwkError(f"syntax error at source line {line}")

    def _newlines(self) -> None:
        while self._take("newline"):
            pass

    def _separators(self) -> None:
        while self._take("newline", ";"):
            pass

    def program(self) -> Program:
        result = Program()
        self._separators()
        while self._kind != "end":
            self._item(result)
            self._separators()
        return result

    def _item(self, result: Program) -> None:
        if self._take("BEGIN"):
            result.begin.append(self._block())
        elif self._take("END"):
            result.end.append(self._block())
        elif self._take("function"):
            name = self._take("call") or self._expect("name")
            self._expect("(")
            names: list[str] = []
            while not self._take(")"):
                names.append(self._expect("name"))
                self._take(",")
                self._newlines()
            self._newlines()
            result.functions[name] = (names, self._block())
        elif self._kind == "{":
            result.rules.append((None, None, self._block()))
        else:
            pattern, last = self._expression(), None
            if self._take(","):
                self._newlines()
                last = self._expression()
            result.rules.append((pattern, last, self._block() if self._kind == "{" else None))

    def _block(self) -> Node:
        self._expect("{")
        statements: list[Node] = []
        self._separators()
        while not self._take("}"):
            statements.append(self._statement())
            self._separators()
        return ("block", statements)

    def _body(self) -> Node:
        self._newlines()
        if self._take(";"):
            return ("block", [])
        return self._statement()

    def _statement(self) -> Node:
        self._depth += 1
        if self._depth > _MAX_DEPTH:
            raise AwkError("program nested too deeply")
        result = self._any_statement()
        self._depth -= 1
        return result

    def _any_statement(self) -> Node:
        if self._kind == "{":
            return self._block()
        for keyword, method in (
            ("if", self._if),
            ("while", self._while),
            ("do", self._do),
            ("for", self._for),
        ):
            if self._take(keyword):
                return method()
        result = self._simple()
        if self._kind not in (";", "newline", "}", "end"):
            raise self._error()
        if self._kind == ";":
            self._at += 1
        return result

    def _condition(self) -> Node:
        self._expect("(")
        result = self._expression()
        self._expect(")")
        return result

    def _if(self) -> Node:
        condition, body = self._condition(), self._body()
        before = self._at
        self._separators()
        if self._take("else"):
            return ("if", condition, body, self._body())
        self._at = before
        return ("if", condition, body, None)

    def _while(self) -> Node:
        return ("while", self._condition(), self._body())

    def _do(self) -> Node:
        body = self._body()
        self._separators()
        self._expect("while")
        return ("do", body, self._condition())

    def _for(self) -> Node:
        self._expect("(")
        if self._kind == "name" and self._tokens[self._at + 1].kind == "in":
            name = self._expect("name")
            self._at += 1
            array = self._expect("name")
            self._expect(")")
            return ("each", name, array, self._body())
        first = None if self._kind == ";" else self._simple()
        self._expect(";")
        self._newlines()
        condition = None if self._kind == ";" else self._expression()
        self._expect(";")
        self._newlines()
        step = None if self._kind == ")" else self._simple()
        self._expect(")")
        return ("for", first, condition, step, self._body())

    def _simple(self) -> Node:
        if word := self._take("print", "printf"):
            return self._print(word)
        if word := self._take("next", "break", "continue"):
            return (word,)
        if word := self._take("exit", "return"):
            ends = self._kind in (";", "newline", "}", "end")
            return (word, None if ends else self._expression())
        if self._take("delete"):
            name = self._expect("name")
            return ("delete", name, self._subscript() if self._kind == "[" else None)
        return ("expression", self._expression())

    def _print(self, word: str) -> Node:
        values: list[Node] = []
        outer, self._no_greater = self._no_greater, True
        if self._kind not in (";", "newline", "}", "end", ">", ">>", "|"):
            values = self._list()
            if len(values) == 1 and values[0][0] == "grouped":
                values = values[0][1]
        self._no_greater = outer
        operator = self._take(">", ">>", "|")
        return (word, values, operator, self._concatenation() if operator else None)

    def _list(self) -> list[Node]:
        values = [self._expression()]
        while self._take(","):
            self._newlines()
            values.append(self._expression())
        return values

    def _subscript(self) -> Node:
        self._expect("[")
        values = self._list()
        self._expect("]")
        return values[0] if len(values) == 1 else ("joined", values)

    # Expressions, the weakest operator first.

    def _expression(self) -> Node:
        self._depth += 1
        if self._depth > _MAX_DEPTH:
            raise AwkError("expression nested too deeply")
        left = self._choice()
        if self._kind in _ASSIGNMENTS and left[0] in ("variable", "field", "element"):
            operator = self._expect(self._kind)
            self._newlines()
            left = ("assign", operator, left, self._expression())
        self._depth -= 1
        return left

    def _choice(self) -> Node:
        condition = self._or()
        if not self._take("?"):
            return condition
        self._newlines()
        first = self._expression()
        self._newlines()
        self._expect(":")
        self._newlines()
        return ("choice", condition, first, self._expression())

    def _or(self) -> Node:
        left = self._and()
        while self._take("||"):
            self._newlines()
            left = ("or", left, self._and())
        return left

    def _and(self) -> Node:
        left = self._in()
        while self._take("&&"):
            self._newlines()
            left = ("and", left, self._in())
        return left

    def _in(self) -> Node:
        left = self._match()
        while self._take("in"):
            key = ("joined", left[1]) if left[0] == "grouped" else left
            left = ("in", key, self._expect("name"))
        return left

    def _match(self) -> Node:
        left = self._comparison()
        while operator := self._take("~", "!~"):
            left = ("match", operator, left, self._comparison())
        return left

    def _comparison(self) -> Node:
        left = self._concatenation()
        if self._kind in _COMPARISONS and not (self._no_greater and self._kind == ">"):
            operator = self._expect(self._kind)
            return ("compare", operator, left, self._concatenation())
        while self._kind == "|" and self._tokens[self._at + 1].kind == "getline":
            self._at += 2
            left = ("getline", "|", left, self._target())
        return left

    def _concatenation(self) -> Node:
        left = self._sum()
        while self._kind in _STARTS and self._kind not in ("-", "+"):
            left = ("concat", left, self._sum())
        return left

    def _sum(self) -> Node:
        left = self._product()
        while operator := self._take("+", "-"):
            left = ("binary", operator, left, self._product())
        return left

    def _product(self) -> Node:
        left = self._unary()
        while operator := self._take("*", "/", "%"):
            left = ("binary", operator, left, self._unary())
        return left

    def _unary(self) -> Node:
        self._depth += 1
        if self._depth > _MAX_DEPTH:
            raise AwkError("expression nested too deeply")
        operator = self._take("!", "-", "+")
        result = ("unary", operator, self._unary()) if operator else self._power()
        self._depth -= 1
        return result

    def _power(self) -> Node:
        left = self._step()
        if self._take("^"):
            return ("binary", "^", left, self._unary())
        return left

    def _step(self) -> Node:
        if operator := self._take("++", "--"):
            target = self._primary()
            if target[0] not in ("variable", "field", "element"):
                raise self._error()
            return ("before", operator, target)
        left = self._primary()
        if left[0] in ("variable", "field", "element") and (operator := self._take("++", "--")):
            return ("after", operator, left)
        return left

    def _target(self) -> Node | None:
        return self._primary() if self._kind in ("name", "$") else None

    def _primary(self) -> Node:
        kind = self._kind
        if (text := self._take("number", "string", "regex")) is not None:
            return (kind, text)
        if self._take("$"):
            return ("field", self._step() if self._kind in ("++", "--") else self._negative())
        if self._take("("):
            return self._group()
        if self._take("getline"):
            target = self._target()
            source = self._primary() if self._take("<") else None
            return ("getline", "<" if source else "", source, target)
        if name := self._take("call"):
            return self._call(name)
        name = self._expect("name")
        if self._kind == "[":
            return ("element", name, self._subscript())
        return ("call", name, []) if name == "length" else ("variable", name)

    def _negative(self) -> Node:
        operator = self._take("-", "+", "!")
        return ("unary", operator, self._primary()) if operator else self._primary()

    def _call(self, name: str) -> Node:
        self._expect("(")
        outer = self._no_greater
        self._no_greater = False
        self._newlines()
        values = [] if self._kind == ")" else self._list()
        self._newlines()
        self._expect(")")
        self._no_greater = outer
        return ("call", name, values)

    def _group(self) -> Node:
        outer = self._no_greater
        self._no_greater = False
        self._newlines()
        values = self._list()
        self._newlines()
        self._expect(")")
        self._no_greater = outer
        return ("grouped", values) if len(values) > 1 else ("parenthesis", values[0])
