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
    """``$name`` or ``${name[subscript]<operator>argument}``.

    The operators ``length``, ``names`` (``${!a[@]}``) and ``name`` (``${!a}``) are written before the name.
    """

    name: str
    operator: str = ""
    argument: Word | None = None
    quoted: bool = False
    subscript: Word | None = None
    replacement: Word | None = None
    """Of ``${name/pattern/replacement}``; the length of ``${name:start:length}``."""


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
    """``2>file``, ``<file``, ``2>&1``, a here-document (operator ``<<``) or a here-string (``<<<``)."""

    descriptor: int
    operator: str
    target: Word


@dataclass(frozen=True, slots=True)
class Assignment:
    """``name=value``, ``name[subscript]+=value``, or with ``elements`` ``name=(...)``."""

    name: str
    value: Word
    subscript: Word | None = None
    appends: bool = False
    elements: tuple[Word, ...] | None = None


@dataclass(frozen=True, slots=True)
class SimpleCommand:
    """Assignments, then a command with its arguments. ``line`` counts from 1."""

    assignments: tuple[Assignment, ...] = ()
    words: tuple[Word, ...] = ()
    redirects: tuple[Redirect, ...] = ()
    line: int = 0


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
    """Repeat ``body`` with ``name`` set to each word; without ``in``, to each argument of the shell.

    With ``asks`` it is ``select``: a menu of the words is printed, and each answer runs the body.
    """

    name: str
    words: tuple[Word, ...] | None
    body: Script
    asks: bool = False
    redirects: tuple[Redirect, ...] = ()


@dataclass(frozen=True, slots=True)
class CaseBranch:
    """The patterns of a ``case``, what they run, and ``;;``, ``;&`` (go on) or ``;|`` (test on)."""

    patterns: tuple[Word, ...]
    body: Script
    end: str = ";;"


@dataclass(frozen=True, slots=True)
class CaseCommand:
    """Run the first branch with a pattern that matches the word."""

    word: Word
    branches: tuple[CaseBranch, ...]
    redirects: tuple[Redirect, ...] = ()


@dataclass(frozen=True, slots=True)
class Condition:
    """``[[ ... ]]``: words, and the operators ``( ) ! && || < >`` as strings."""

    tokens: tuple[Word | str, ...]
    redirects: tuple[Redirect, ...] = ()


@dataclass(frozen=True, slots=True)
class Calculation:
    """``(( ... ))``, which succeeds when the value is not 0."""

    expression: Word
    redirects: tuple[Redirect, ...] = ()


@dataclass(frozen=True, slots=True)
class Timed:
    """``time pipeline``."""

    pipeline: Pipeline | None
    redirects: tuple[Redirect, ...] = ()


@dataclass(frozen=True, slots=True)
class Function:
    """Define the command ``name``, which runs ``body``."""

    name: str
    body: Command
    names_itself: bool = False
    """Whether ``$0`` is the name inside, as of one that ``function`` defined."""
    redirects: tuple[Redirect, ...] = ()


Command = (
    SimpleCommand | GroupCommand | If | While | For | CaseCommand | Condition | Calculation | Timed | Function
)


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
    background: str = ""
    """``&``, ``|&`` for a coprocess, or empty."""
    text: str = ""
    """The text of a command in the background."""


@dataclass(frozen=True, slots=True)
class Script:
    """Commands separated by ``;``, ``&`` and newlines."""

    items: tuple[AndOr, ...] = field(default=())
