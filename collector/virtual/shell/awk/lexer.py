"""Split an awk program into tokens."""

from __future__ import annotations

import re
from dataclasses import dataclass


class AwkError(Exception):
    """A program cannot be read or run; the message is what awk prints after its name."""


@dataclass(frozen=True, slots=True)
class Token:
    """A token.

    ``kind`` is name, call, number, string, regex, newline, end, or the symbol or keyword itself.
    """

    kind: str
    text: str


KEYWORDS = frozenset(
    [
        "BEGIN",
        "END",
        "function",
        "func",
        "if",
        "else",
        "while",
        "for",
        "do",
        "break",
        "continue",
        "next",
        "exit",
        "return",
        "delete",
        "in",
        "getline",
        "print",
        "printf",
    ]
)
_SYMBOLS = (
    "**=",
    "&&",
    "||",
    "++",
    "--",
    "+=",
    "-=",
    "*=",
    "/=",
    "%=",
    "^=",
    "==",
    "<=",
    ">=",
    "!=",
    ">>",
    "!~",
    "**",
    "{",
    "}",
    "(",
    ")",
    "[",
    "]",
    ";",
    ",",
    "+",
    "-",
    "*",
    "/",
    "%",
    "^",
    "!",
    ">",
    "<",
    "|",
    "?",
    ":",
    "~",
    "$",
    "=",
)
_NUMBER = re.compile(r"0[xX][0-9a-fA-F]+|(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?")
_NAME = re.compile(r"[A-Za-z_]\w*", re.ASCII)
_OPERANDS = frozenset({"name", "number", "string", "regex", ")", "]", "$", "++", "--"})
"""After these a slash divides."""
_ESCAPES = {
    "n": "\n",
    "t": "\t",
    "r": "\r",
    "\\": "\\",
    '"': '"',
    "/": "/",
    "a": "\a",
    "b": "\b",
    "f": "\f",
    "v": "\v",
}


def tokens(source: str) -> list[Token]:
    """All tokens, ending with ``end``; AwkError for what is none."""
    found: list[Token] = []
    at = 0
    while at < len(source):
        character = source[at]
        if character in " \t\r" or source.startswith("\\\n", at):
            at += 2 if character == "\\" else 1
        elif character == "#":
            end = source.find("\n", at)
            at = len(source) if end < 0 else end
        elif character == "\n":
            found.append(Token("newline", "\n"))
            at += 1
        elif character == '"':
            text, at = _string(source, at + 1)
            found.append(Token("string", text))
        elif character == "/" and (not found or found[-1].kind not in _OPERANDS):
            text, at = _regex(source, at + 1)
            found.append(Token("regex", text))
        else:
            token, at = _word(source, at)
            found.append(token)
    return [*found, Token("newline", "\n"), Token("end", "")]


def _word(source: str, at: int) -> tuple[Token, int]:
    if match := _NUMBER.match(source, at):
        return Token("number", match[0]), match.end()
    if match := _NAME.match(source, at):
        if match[0] in KEYWORDS:
            return Token("function" if match[0] == "func" else match[0], match[0]), match.end()
        return Token("call" if source.startswith("(", match.end()) else "name", match[0]), match.end()
    for symbol in _SYMBOLS:
        if source.startswith(symbol, at):
            plain = {"**": "^", "**=": "^="}.get(symbol, symbol)
            return Token(plain, plain), at + len(symbol)
    raise AwkError(f"syntax error at source line {source.count(chr(10), 0, at) + 1}")


def _string(source: str, at: int) -> tuple[str, int]:
    start = at
    while at < len(source) and source[at] != '"':
        if source[at] == "\n":
            raise AwkError(f"newline in string {source[start:at][:20]}...")
        at += 2 if source[at] == "\\" else 1
    if at >= len(source):
        raise AwkError(f"non-terminated string {source[start:][:10]}...")
    return unescape(source[start:at]), at + 1


def _regex(source: str, at: int) -> tuple[str, int]:
    start, bracket = at, False
    while at < len(source) and (bracket or source[at] != "/"):
        if source[at] == "\n":
            raise AwkError(f"newline in regular expression {source[start:at][:10]}...")
        bracket = source[at] == "[" or (bracket and source[at] != "]")
        at += 2 if source[at] == "\\" else 1
    if at >= len(source):
        raise AwkError(f"non-terminated regular expression {source[start:][:10]}...")
    return source[start:at].replace("\\/", "/"), at + 1


def unescape(text: str) -> str:
    """Replace the escapes of strings; an unknown one keeps its backslash."""

    def replace(match: re.Match[str]) -> str:
        word = match[1]
        if word[0] in "01234567":
            return chr(int(word, 8) & 0xFF)
        return _ESCAPES.get(word, "\\" + word)

    return re.sub(r"\\([0-7]{1,3}|.)", replace, text, flags=re.DOTALL)
