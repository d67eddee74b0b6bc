"""Run a parsed awk program over records."""

from __future__ import annotations

import contextlib
import math
import random
from collections.abc import Callable
from typing import Any

from collector.virtual.shell.awk.expressions import compiled
from collector.virtual.shell.awk.lexer import AwkError
from collector.virtual.shell.awk.operators import calculated, replaced, rounded
from collector.virtual.shell.awk.parser import Node, Program
from collector.virtual.shell.awk.record import Record
from collector.virtual.shell.awk.surroundings import (
    UNREADABLE,
    EndLoop,
    LeaveProgram,
    NextRecord,
    NextTurn,
    ReturnValue,
    Surroundings,
)
from collector.virtual.shell.awk.values import Input, Value, formatted, is_number, number, text, truth

_MAX_CALLS = 60
_SHARED = (
    "NF",
    "NR",
    "FNR",
    "FS",
    "OFS",
    "ORS",
    "RS",
    "SUBSEP",
    "CONVFMT",
    "OFMT",
    "RSTART",
    "RLENGTH",
    "FILENAME",
)


class Awk:
    """A running program."""

    def __init__(self, program: Program, around: Surroundings) -> None:
        self._program = program
        self._around = around
        self._record = Record()
        self._globals: dict[str, Any] = {
            "OFS": " ",
            "ORS": "\n",
            "RS": "\n",
            "FS": " ",
            "SUBSEP": "\x1c",
            "OFMT": "%.6g",
            "CONVFMT": "%.6g",
            "NR": 0.0,
            "FNR": 0.0,
            "RSTART": 0.0,
            "RLENGTH": -1.0,
            "FILENAME": "",
        }
        self._frames: list[dict[str, Any]] = []
        self._open_ranges: set[int] = set()
        self._status = 0
        self._random = random.Random(1)
        self._seed = 1.0

    def set(self, name: str, value: Any) -> None:
        """Set a global variable or array."""
        self._globals[name] = value

    def run(self) -> int:
        """Run ``BEGIN``, the rules for each record, and ``END``; return the exit status."""
        with contextlib.suppress(LeaveProgram):
            for block in self._program.begin:
                self._execute(block)
            if self._program.rules or self._program.end:
                while self._next_record():
                    self._rules()
        with contextlib.suppress(LeaveProgram):
            for block in self._program.end:
                self._execute(block)
        return self._status

    def _next_record(self) -> bool:
        found = self._around.next_record(text(self._globals["RS"]))
        if found is None:
            return False
        line, name, first = found
        self._globals["FILENAME"] = name
        self._globals["FNR"] = 1.0 if first else number(self._globals["FNR"]) + 1
        self._globals["NR"] = number(self._globals["NR"]) + 1
        self._record.set_line(line, self._separator())
        return True

    def _separator(self) -> str:
        separator = text(self._globals["FS"])
        if text(self._globals["RS"]) or separator == " ":
            return separator
        # Without a record separator, line ends separate fields, too.
        return f"[{separator}\n]" if len(separator) == 1 and separator not in "^]\\" else f"{separator}|\n"

    def _rules(self) -> None:
        try:
            for place, (pattern, last, action) in enumerate(self._program.rules):
                if not self._applies(place, pattern, last):
                    continue
                if action is None:
                    self._around.write(
                        None, "", self._record.line(self._output()) + text(self._globals["ORS"])
                    )
                else:
                    self._execute(action)
        except NextRecord:
            return

    def _output(self) -> str:
        return text(self._globals["OFS"])

    def _applies(self, place: int, pattern: Node | None, last: Node | None) -> bool:
        if pattern is None:
            return True
        if last is None:
            return truth(self._value(pattern))
        if place not in self._open_ranges:
            if not truth(self._value(pattern)):
                return False
            self._open_ranges.add(place)
        if truth(self._value(last)):
            self._open_ranges.discard(place)
        return True

    # Statements.

    def _execute(self, node: Node | None) -> None:
        if node is None:
            return
        if self._around.interrupted:
            raise AwkError("interrupted")
        _STATEMENTS[node[0]](self, node)

    def _evaluate(self, node: Node) -> None:
        self._value(node[1])

    def _block(self, node: Node) -> None:
        for statement in node[1]:
            self._execute(statement)

    def _if(self, node: Node) -> None:
        self._execute(node[2] if truth(self._value(node[1])) else node[3])

    def _turn(self, body: Node) -> bool:
        """Run a loop's body; False after ``break``."""
        try:
            self._execute(body)
        except EndLoop:
            return False
        except NextTurn:
            return True
        return True

    def _while(self, node: Node) -> None:
        while truth(self._value(node[1])) and self._turn(node[2]):
            pass

    def _do(self, node: Node) -> None:
        while self._turn(node[1]) and truth(self._value(node[2])):
            pass

    def _for(self, node: Node) -> None:
        _kind, first, condition, step, body = node
        self._execute(first)
        while condition is None or truth(self._value(condition)):
            if not self._turn(body):
                return
            self._execute(step)

    def _each(self, node: Node) -> None:
        for key in list(self._array(node[2])):
            self._assign(("variable", node[1]), Input(key))
            if not self._turn(node[3]):
                return

    def _print(self, node: Node) -> None:
        word, values, operator, target = node
        found = [self._value(value) for value in values]
        if word == "printf":
            if not found:
                raise AwkError("not enough args in printf()")
            line = formatted(text(found[0]), found[1:])
        else:
            form = text(self._globals["OFMT"])
            shown = [text(value, form) for value in found] if values else [self._record.line(self._output())]
            line = self._output().join(shown) + text(self._globals["ORS"])
        self._around.write(operator, self._text(target) if target else "", line)

    def _delete(self, node: Node) -> None:
        array = self._array(node[1])
        if node[2] is None:
            array.clear()
        else:
            array.pop(self._text(node[2]), None)

    def _leave(self, node: Node) -> None:
        if node[0] == "exit":
            if node[1] is not None:
                self._status = int(number(self._value(node[1]))) & 0xFF
            raise LeaveProgram
        if node[0] == "return":
            raise ReturnValue(self._value(node[1]) if node[1] is not None else Input(""))
        raise {"next": NextRecord, "break": EndLoop, "continue": NextTurn}[node[0]]

    # Expressions.

    def _value(self, node: Node) -> Value:
        return _EXPRESSIONS[node[0]](self, node)

    def _text(self, node: Node) -> str:
        return text(self._value(node), text(self._globals["CONVFMT"]))

    def _number(self, node: Node) -> float:
        return number(self._value(node))

    def _scope(self, name: str) -> dict[str, Any]:
        return self._frames[-1] if self._frames and name in self._frames[-1] else self._globals

    def _array(self, name: str) -> dict[str, Value]:
        scope = self._scope(name)
        found = scope.get(name)
        if found is None:
            found = scope[name] = {}
        if not isinstance(found, dict):
            raise AwkError(f"can't use scalar {name} as array")
        return found

    def _variable(self, node: Node) -> Value:
        if node[1] == "NF":
            return float(self._record.count())
        found = self._scope(node[1]).get(node[1])
        if isinstance(found, dict):
            raise AwkError(f"can't use array {node[1]} in scalar context")
        return Input("") if found is None else found

    def _field(self, node: Node) -> Value:
        return Input(self._record.field(self._place(node[1]), self._output()))

    def _place(self, node: Node) -> int:
        place = int(self._number(node))
        if not 0 <= place < 1_000_000:
            raise AwkError(f"trying to access out of range field {place}")
        return place

    def _element(self, node: Node) -> Value:
        return self._array(node[1]).setdefault(self._text(node[2]), Input(""))

    def _assign(self, target: Node, value: Value) -> Value:
        if target[0] == "field":
            self._record.set_field(self._place(target[1]), text(value), self._separator())
        elif target[0] == "element":
            self._array(target[1])[self._text(target[2])] = value
        elif target[1] == "NF":
            self._record.set_count(min(int(number(value)), 1_000_000))
        else:
            self._scope(target[1])[target[1]] = value
        return value

    def _assignment(self, node: Node) -> Value:
        _kind, operator, target, source = node
        value = self._value(source)
        if operator != "=":
            value = calculated(operator[0], self._number(target), number(value))
        return self._assign(target, value)

    def _step(self, node: Node) -> Value:
        before = self._number(node[2])
        after = before + (1 if node[1] == "++" else -1)
        self._assign(node[2], after)
        return after if node[0] == "before" else before

    def _compare(self, node: Node) -> Value:
        left, right = self._value(node[2]), self._value(node[3])
        if is_number(left) and is_number(right):
            order = (number(left) > number(right)) - (number(left) < number(right))
        else:
            first, second = text(left), text(right)
            order = (first > second) - (first < second)
        holds = {
            "<": order < 0,
            "<=": order <= 0,
            "==": not order,
            "!=": bool(order),
            ">": order > 0,
            ">=": order >= 0,
        }
        return float(holds[node[1]])

    def _pattern(self, node: Node) -> str:
        return str(node[1]) if node[0] == "regex" else self._text(node)

    def _matches(self, node: Node) -> Value:
        found = compiled(self._pattern(node[3])).search(self._text(node[2]))
        return float(bool(found) == (node[1] == "~"))

    def _getline(self, node: Node) -> Value:
        _kind, operator, source, target = node
        if not operator and target is None:
            return float(self._next_record())
        if operator:
            line = self._around.read_from(operator, self._text(source), text(self._globals["RS"]))
        else:
            found = self._around.next_record(text(self._globals["RS"]))
            line = found[0] if found else None
        if line is None:
            return 0.0
        if line == UNREADABLE:
            return -1.0
        if operator != "<":
            self._globals["NR"] = number(self._globals["NR"]) + 1
        if target is None:
            self._record.set_line(line, self._separator())
        else:
            self._assign(target, Input(line))
        return 1.0

    def _call(self, node: Node) -> Value:
        _kind, name, values = node
        if name in self._program.functions:
            return self._call_function(name, values)
        builtin = _FUNCTIONS.get(name)
        if builtin is None:
            raise AwkError(f"calling undefined function {name}")
        return builtin(self, values)

    def _call_function(self, name: str, values: list[Node]) -> Value:
        names, body = self._program.functions[name]
        if len(values) > len(names):
            raise AwkError(f"function {name} called with {len(values)} args, accepts only {len(names)}")
        if len(self._frames) >= _MAX_CALLS:
            raise AwkError(f"function {name} nested too deeply")
        frame: dict[str, Any] = dict.fromkeys(names)
        untyped: list[tuple[str, str]] = []
        for parameter, value in zip(names, values, strict=False):
            bare = value[1] if value[0] == "variable" and value[1] not in _SHARED else ""
            found = self._scope(bare).get(bare) if bare else None
            if bare and found is None:
                # It becomes an array of the caller when the function uses it as one.
                untyped.append((bare, parameter))
            frame[parameter] = (
                found if isinstance(found, dict) else None if bare and found is None else self._value(value)
            )
        self._frames.append(frame)
        try:
            self._execute(body)
        except ReturnValue as returned:
            return returned.value
        finally:
            self._frames.pop()
            for bare, parameter in untyped:
                if isinstance(frame[parameter], dict):
                    self._scope(bare)[bare] = frame[parameter]
        return Input("")

    # Functions of the language.

    def _length(self, values: list[Node]) -> Value:
        if not values:
            return float(len(self._record.line(self._output())))
        first = values[0]
        if first[0] == "variable" and isinstance(self._scope(first[1]).get(first[1]), dict):
            return float(len(self._array(first[1])))
        return float(len(self._text(first)))

    def _substr(self, values: list[Node]) -> Value:
        whole, start = self._text(values[0]), max(1, rounded(self._number(values[1])))
        end = start + rounded(self._number(values[2])) if len(values) > 2 else len(whole) + 1
        return whole[start - 1 : max(min(end, len(whole) + 1), 1) - 1]

    def _split(self, values: list[Node]) -> Value:
        whole = self._text(values[0])
        array = self._array(values[1][1])
        separator = self._pattern(values[2]) if len(values) > 2 else self._separator()
        is_regex = len(values) > 2 and values[2][0] == "regex"
        fields = Record.split(whole, separator, is_regex=is_regex)
        array.clear()
        array.update({str(place): Input(each) for place, each in enumerate(fields, 1)})
        return float(len(fields))

    def _substitute(self, values: list[Node], *, everywhere: bool) -> Value:
        pattern = compiled(self._pattern(values[0]))
        replacement = self._text(values[1])
        target = values[2] if len(values) > 2 else ("field", ("number", "0"))
        changed, count = pattern.subn(
            lambda match: replaced(replacement, match[0]), self._text(target), count=0 if everywhere else 1
        )
        if count and target[0] in ("variable", "field", "element"):
            self._assign(target, changed)
        return float(count)

    def _match_function(self, values: list[Node]) -> Value:
        found = compiled(self._pattern(values[1])).search(self._text(values[0]))
        self._globals["RSTART"] = float(found.start() + 1) if found else 0.0
        self._globals["RLENGTH"] = float(found.end() - found.start()) if found else -1.0
        return self._globals["RSTART"]  # type: ignore[no-any-return]  # just set

    def _srand(self, values: list[Node]) -> Value:
        before, self._seed = self._seed, self._number(values[0]) if values else self._seed + 1
        self._random = random.Random(self._seed)
        return before


def _mathematical(function: Callable[[float], float]) -> Callable[[Awk, list[Node]], Value]:
    def call(awk: Awk, values: list[Node]) -> Value:
        try:
            return float(function(awk._number(values[0])))
        except (ValueError, OverflowError):
            return float("nan")

    return call


_STATEMENTS: dict[str, Callable[[Awk, Node], None]] = {
    "block": Awk._block,
    "if": Awk._if,
    "while": Awk._while,
    "do": Awk._do,
    "for": Awk._for,
    "each": Awk._each,
    "print": Awk._print,
    "printf": Awk._print,
    "delete": Awk._delete,
    "exit": Awk._leave,
    "return": Awk._leave,
    "next": Awk._leave,
    "break": Awk._leave,
    "continue": Awk._leave,
    "expression": Awk._evaluate,
}
_EXPRESSIONS: dict[str, Callable[[Awk, Node], Value]] = {
    "number": lambda _awk, node: float(int(node[1], 16)) if node[1][:2] in ("0x", "0X") else float(node[1]),
    "string": lambda _awk, node: str(node[1]),
    "regex": lambda awk, node: float(bool(compiled(node[1]).search(awk._record.line(awk._output())))),
    "parenthesis": lambda awk, node: awk._value(node[1]),
    "grouped": lambda awk, node: awk._value(node[1][-1]),
    "joined": lambda awk, node: text(awk._globals["SUBSEP"]).join(awk._text(each) for each in node[1]),
    "variable": Awk._variable,
    "field": Awk._field,
    "element": Awk._element,
    "assign": Awk._assignment,
    "before": Awk._step,
    "after": Awk._step,
    "choice": lambda awk, node: awk._value(node[2] if truth(awk._value(node[1])) else node[3]),
    "or": lambda awk, node: float(truth(awk._value(node[1])) or truth(awk._value(node[2]))),
    "and": lambda awk, node: float(truth(awk._value(node[1])) and truth(awk._value(node[2]))),
    "in": lambda awk, node: float(awk._text(node[1]) in awk._array(node[2])),
    "match": Awk._matches,
    "compare": Awk._compare,
    "concat": lambda awk, node: awk._text(node[1]) + awk._text(node[2]),
    "binary": lambda awk, node: calculated(node[1], awk._number(node[2]), awk._number(node[3])),
    "unary": lambda awk, node: (
        float(not truth(awk._value(node[2])))
        if node[1] == "!"
        else awk._number(node[2]) * (-1 if node[1] == "-" else 1)
    ),
    "getline": Awk._getline,
    "call": Awk._call,
}
_FUNCTIONS: dict[str, Callable[[Awk, list[Node]], Value]] = {
    "length": Awk._length,
    "substr": Awk._substr,
    "split": Awk._split,
    "index": lambda awk, values: float(awk._text(values[0]).find(awk._text(values[1])) + 1),
    "sub": lambda awk, values: awk._substitute(values, everywhere=False),
    "gsub": lambda awk, values: awk._substitute(values, everywhere=True),
    "match": Awk._match_function,
    "sprintf": lambda awk, values: formatted(awk._text(values[0]), [awk._value(each) for each in values[1:]]),
    "tolower": lambda awk, values: awk._text(values[0]).lower(),
    "toupper": lambda awk, values: awk._text(values[0]).upper(),
    "system": lambda awk, values: float(awk._around.run(awk._text(values[0]))),
    "close": lambda awk, values: float(awk._around.close(awk._text(values[0]))),
    "fflush": lambda _awk, _values: 0.0,
    "int": _mathematical(math.trunc),
    "sqrt": _mathematical(math.sqrt),
    "exp": _mathematical(math.exp),
    "log": _mathematical(math.log),
    "sin": _mathematical(math.sin),
    "cos": _mathematical(math.cos),
    "atan2": lambda awk, values: math.atan2(awk._number(values[0]), awk._number(values[1])),
    "rand": lambda awk, _values: awk._random.random(),
    "srand": Awk._srand,
}
