"""Syntax tree of a command line: words and their parts, commands, and operators between them."""

from __future__ import annotations

from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True)
class Literal:
    """Characters that stand for themselves; unquoted ones may still be a pattern."""

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
    """Parts that follow each other without a blank."""

    parts: tuple[Part, ...]


@dataclass(frozen=True, slots=True)
class Redirect:
    """``2>file``, ``<file``, ``2>&1``, or a document in place (operator ``<<``)."""

    descriptor: int
    operator: str
    target: Word


@dataclass(frozen=True, slots=True)
class SimpleCommand:
    """Assignments, then a command and its arguments."""

    assignments: tuple[tuple[str, Word], ...] = ()
    words: tuple[Word, ...] = ()
    redirects: tuple[Redirect, ...] = ()


@dataclass(frozen=True, slots=True)
class GroupCommand:
    """``{ ...; }``, or with ``subshell`` ``( ... )`` whose variables stay inside."""

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
    """Repeat ``body`` while (or with ``until`` as long as not) the condition holds."""

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
    """The first branch of which a pattern matches the word."""

    word: Word
    branches: tuple[tuple[tuple[Word, ...], Script], ...]
    redirects: tuple[Redirect, ...] = ()


@dataclass(frozen=True, slots=True)
class Function:
    """From now on ``name`` is a command that runs ``body``."""

    name: str
    body: Command
    redirects: tuple[Redirect, ...] = ()


Command = SimpleCommand | GroupCommand | If | While | For | CaseCommand | Function


@dataclass(frozen=True, slots=True)
class Pipeline:
    """Commands joined by ``|``; ``negated`` turns the exit status round."""

    commands: tuple[Command, ...]
    negated: bool = False


@dataclass(frozen=True, slots=True)
class AndOr:
    """A pipeline, then others that run after success (``&&``) or failure (``||``)."""

    first: Pipeline
    rest: tuple[tuple[str, Pipeline], ...] = ()
    background: bool = False


@dataclass(frozen=True, slots=True)
class Script:
    """What ``;``, ``&`` and newlines separate."""

    items: tuple[AndOr, ...] = field(default=())
