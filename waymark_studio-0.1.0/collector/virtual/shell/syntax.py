"""Syntax tree of a command line: words and their parts, commands, and operators between them."""

from __future__ import annotations

from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True)
class Literal:
    """Literal characters; unquoted ones may still form a pattern."""

    text: str
    quoted: bool = False


@dataclass(frozen=True, slots=True)
class ParameterExpansion:
    """``$name`` or ``${name<operator>argument}``."""

    name: str
    operator: str = ""
    argument: Word | None = None
    quoted: bool = False


@dataclass(frozen=True, slots=True)
class Substitution:
    """``$(...)`` or a command between back quotes."""

    script: Script
    quoted: bool = False


@dataclass(frozen=True, slots=True)
class Arithmetic:
    """``$((...))``."""

    expression: Word
    quoted: bool = False


Part = Literal | ParameterExpansion | Substitution | Arithmetic


@dataclass(frozen=True, slots=True)
class Word:
    """Adjacent parts without a blank between them."""

    parts: tuple[Part, ...]


@dataclass(frozen=True, slots=True)
class Redirect:
    """``2>file``, ``<file``, ``2>&1``, or a here-document (operator ``<<``)."""

    descriptor: int
    operator: str
    target: Word


@dataclass(frozen=True, slots=True)
class SimpleCommand:
    """Assignments, then a command with its arguments."""

    assignments: tuple[tuple[str, Word], ...] = ()
    words: tuple[Word, ...] = ()
    redirects: tuple[Redirect, ...] = ()


@dataclass(frozen=True, slots=True)
class GroupCommand:
    """``{ ...; }``, or with ``subshell`` ``( ... )`` whose variables are not visible outside."""

    body: Script
    subshell: bool = False
    redirects: tuple[Redirect, ...] = ()


@dataclass(frozen=True, slots=True)
class If:
    """Conditions with their bodies, in order, and the ``else`` body."""

    branches: tuple[tuple[Script, Script], ...]
    otherwise: Script | None = None
    redirects: tuple[Redirect, ...] = ()


@dataclass(frozen=True, slots=True)
class While:
    """Repeat ``body`` while (with ``until``: until) the condition succeeds."""

    condition: Script
    body: Script
    until: bool = False
    redirects: tuple[Redirect, ...] = ()


@dataclass(frozen=True, slots=True)
class For:
    """Repeat ``body`` with ``name`` set to each word."""

    name: str
    words: tuple[Word, ...]
    body: Script
    redirects: tuple[Redirect, ...] = ()


@dataclass(frozen=True, slots=True)
class CaseCommand:
    """Run the first branch with a pattern that matches the word."""

    word: Word
    branches: tuple[tuple[tuple[Word, ...], Script], ...]
    redirects: tuple[Redirect, ...] = ()


@dataclass(frozen=True, slots=True)
class Function:
    """Define the command ``name``, which runs ``body``."""

    name: str
    body: Command
    redirects: tuple[Redirect, ...] = ()


Command = SimpleCommand | GroupCommand | If | While | For | CaseCommand | Function


@dataclass(frozen=True, slots=True)
class Pipeline:
    """Commands joined by ``|``; ``negated`` inverts the exit status."""

    commands: tuple[Command, ...]
    negated: bool = False


@dataclass(frozen=True, slots=True)
class AndOr:
    """A pipeline, followed by others that run after success (``&&``) or failure (``||``)."""

    first: Pipeline
    rest: tuple[tuple[str, Pipeline], ...] = ()
    background: bool = False


@dataclass(frozen=True, slots=True)
class Script:
    """Commands separated by ``;``, ``&`` and newlines."""

    items: tuple[AndOr, ...] = field(default=())
