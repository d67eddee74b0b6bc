"""Parse command lines as mksh does: quotes, expansions, pipes, lists and common compounds."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping

from collector.virtual.shell.language.syntax import (
    AndOr,
    Assignment,
    Calculation,
    CaseBranch,
    CaseCommand,
    Command,
    Condition,
    For,
    Function,
    GroupCommand,
    If,
    Pipeline,
    Redirect,
    Script,
    SimpleCommand,
    Timed,
    While,
    Word,
)
from collector.virtual.shell.language.word_reader import NestedParser, ShellSyntaxError, WordReader

_ASSIGNMENT = re.compile(r"([A-Za-z_]\w*)(?:\[([^\]\n]*)\])?(\+?=)", re.ASCII)
_BACKGROUND = re.compile(r"\|&|&(?!&)")
_REDIRECT = re.compile(r"(\d*)(<<<|<<-|<<|>>|>&|<&|&>>|&>|>\||<>|>|<)")
_NO_ARGUMENTS = r"\([ \t]*\)"
_FUNCTION = re.compile(
    rf"(?:function[ \t]+([A-Za-z_]\w*)[ \t]*(?:{_NO_ARGUMENTS})?|([A-Za-z_]\w*)[ \t]*{_NO_ARGUMENTS})\s*"
)
_BLANKS = " \t"
_CLOSERS = frozenset({"then", "else", "elif", "fi", "do", "done", "}"})
_BRANCH = ";;"
"""Separator of ``case`` branches; the last branch may end with ``esac`` alone."""
_BRANCH_ENDS = (";;", ";&", ";|")
_TOKEN = re.compile(r"[;&|<>]{1,2}|[()]|[^\s;&|()<>]+")
_MAX_DEPTH = 60


def parse(text: str, aliases: Mapping[str, str] | None = None) -> Script:
    """Parse a whole command line or script; raise ShellSyntaxError with mksh's message."""
    parser = _Parser(text, aliases=aliases)
    script = parser.script()
    if not parser.at_end:
        raise parser.unexpected()
    return script


def parse_lines(text: str, aliases: Mapping[str, str]) -> Iterator[Script]:
    """Parse the commands of one line after the other, as mksh does: an alias counts from the next on."""
    parser = _Parser(text, aliases=aliases)
    while script := parser.line():
        yield script


class _Parser:
    def __init__(
        self, text: str, depth: int = 0, at: int = 0, aliases: Mapping[str, str] | None = None
    ) -> None:
        if depth > _MAX_DEPTH:
            raise ShellSyntaxError("syntax error: nested too deeply")
        self._text = text
        self._at = at
        self._depth = depth
        self._aliases = {} if aliases is None else aliases
        self._removed = 0
        """Lines of here-documents before the current place that the text lacks."""
        self._openings: list[str] = []
        """The words of the compounds that are not closed yet."""

    @property
    def at_end(self) -> bool:
        return self._at >= len(self._text)

    def unexpected(self) -> ShellSyntaxError:
        """The error of the token at the current place."""
        self._skip_blanks()
        if self.at_end and self._openings:
            return ShellSyntaxError(f"syntax error: unmatched '{self._openings[-1]}'", incomplete=True)
        if self.at_end:
            return ShellSyntaxError("syntax error: unexpected EOF", incomplete=True)
        match = _TOKEN.match(self._text, self._at)
        return ShellSyntaxError(f"syntax error: unexpected '{match[0] if match else 'newline'}'")

    def line(self) -> Script | None:
        """Parse the commands up to the end of a line; None at the end of the text."""
        self._skip_newlines()
        items: list[AndOr] = []
        while not self.at_end and self._text[self._at] not in "\r\n":
            items.append(self._item(""))
            self._skip_blanks()
        return Script(tuple(items)) if items else None

    def script(self, closer: str = "") -> Script:
        """Parse a list up to a closing word or bracket, which stays unread."""
        items: list[AndOr] = []
        while True:
            self._skip_newlines()
            if self.at_end or self._closes(closer):
                return Script(tuple(items))
            items.append(self._item(closer))

    def _item(self, closer: str) -> AndOr:
        """Parse a list with its separator."""
        start = self._at
        item = self._and_or()
        self._skip_blanks()
        background = _BACKGROUND.match(self._text, self._at)
        if background:
            written = self._text[start : self._at].strip()
            item = AndOr(item.first, item.rest, background[0], written)
            self._at = background.end()
        elif self._text.startswith(";", self._at) and not self._ends_branch():
            self._at += 1
        elif not self.at_end and self._text[self._at] not in "\r\n" and not self._closes(closer):
            raise self.unexpected()
        return item

    def inner(self, whole: bool) -> tuple[Script, int, str]:
        """Parse commands up to the closing bracket, or all; see :class:`NestedParser`."""
        if whole:
            script = self.script()
            if not self.at_end:
                raise self.unexpected()
        else:
            script = self._compound_body("(", ")")
        return script, self._at, self._text

    def _ends_branch(self) -> bool:
        return self._text.startswith(_BRANCH_ENDS, self._at)

    def _closes(self, closer: str) -> bool:
        if closer == ")":
            return self._text.startswith(")", self._at)
        if closer == _BRANCH:
            return self._ends_branch() or self._keyword() == "esac"
        return bool(closer) and self._keyword() in _CLOSERS

    def _and_or(self) -> AndOr:
        first = self._pipeline()
        rest: list[tuple[str, Pipeline]] = []
        while True:
            self._skip_blanks()
            operator = self._text[self._at : self._at + 2]
            if operator not in ("&&", "||"):
                return AndOr(first, tuple(rest))
            self._at += 2
            self._skip_newlines()
            rest.append((operator, self._pipeline()))

    def _pipeline(self) -> Pipeline:
        negated = False
        while self._keyword() == "!":
            self._at += 1
            negated = not negated
        if self._keyword() == "time":
            self._expect("time")
            return Pipeline((self._timed(),), negated)
        commands = [self._command()]
        while True:
            self._skip_blanks()
            if not self._text.startswith("|", self._at) or self._text.startswith(("||", "|&"), self._at):
                return Pipeline(tuple(commands), negated)
            self._at += 1
            self._skip_newlines()
            commands.append(self._command())

    def _timed(self) -> Timed:
        self._skip_blanks()
        if self._text.startswith("-p", self._at):
            self._at += 2
            self._skip_blanks()
        ends = self.at_end or self._text[self._at] in ";&|)\n"
        return Timed(None if ends else self._pipeline())

    def _command(self) -> Command:
        self._skip_blanks()
        if self._text.startswith("((", self._at) and (calculation := self._calculation()):
            return calculation
        if self._text.startswith("(", self._at):
            self._at += 1
            body = self._compound_body("(", ")")
            self._expect(")")
            return GroupCommand(body, True, self._redirects())
        if re.compile(r"\[\[(?=\s)").match(self._text, self._at):
            return self._condition()
        compounds: dict[str, Callable[[], Command]] = {
            "{": self._braces,
            "if": self._if,
            "while": lambda: self._while(False),
            "until": lambda: self._while(True),
            "for": lambda: self._for("for"),
            "select": lambda: self._for("select"),
            "case": self._case,
        }
        if match := _FUNCTION.match(self._text, self._at):
            self._at = match.end()
            return Function(match[1] or match[2], self._command(), match[1] is not None)
        keyword = self._keyword()
        if keyword in _CLOSERS or keyword == "esac":
            raise self.unexpected()
        return compounds.get(keyword, self._simple)()

    def _calculation(self) -> Calculation | None:
        reader = WordReader(self._text, self._at, _parse_nested(self._depth))
        end = reader.arithmetic_end(self._at + 2)
        if end is None:
            return None
        inner = WordReader(self._text[self._at + 2 : end], 0, _parse_nested(self._depth)).document(False)
        self._at = end + 2
        return Calculation(inner, self._redirects())

    def _condition(self) -> Condition:
        self._at += 2
        tokens: list[Word | str] = []
        while True:
            self._skip_newlines()
            if self.at_end:
                raise ShellSyntaxError("syntax error: unexpected EOF", incomplete=True)
            match = re.compile(r"&&|\|\||[()<>]|!(?=\s)|\]\](?=[\s;&|)]|$)").match(self._text, self._at)
            if match and match[0] == "]]":
                self._at += 2
                return Condition(tuple(tokens), self._redirects())
            if match:
                self._at = match.end()
                tokens.append(match[0])
                continue
            word = self._word()
            if word is None:
                raise self.unexpected()
            tokens.append(word)

    def _compound_body(self, opening: str, closer: str) -> Script:
        """Parse a list inside a compound; an end of the text names the compound's first word."""
        self._openings.append(opening)
        self._depth += 1
        if self._depth > _MAX_DEPTH:
            raise ShellSyntaxError("syntax error: nested too deeply")
        body = self.script(closer)
        if self.at_end:
            raise self.unexpected()
        if not body.items and closer in ("then", "do", "fi", "done", "}") and opening != "{":
            raise self.unexpected()
        self._depth -= 1
        self._openings.pop()
        return body

    def _braces(self) -> GroupCommand:
        self._expect("{")
        body = self._compound_body("{", "}")
        self._expect("}")
        return GroupCommand(body, False, self._redirects())

    def _if(self) -> If:
        branches: list[tuple[Script, Script]] = []
        otherwise = None
        self._expect("if")
        while True:
            condition = self._compound_body("if", "then")
            self._expect("then")
            branches.append((condition, self._compound_body("if", "fi")))
            if self._keyword() != "elif":
                break
            self._expect("elif")
        if self._keyword() == "else":
            self._expect("else")
            otherwise = self._compound_body("if", "fi")
        self._expect("fi")
        return If(tuple(branches), otherwise, self._redirects())

    def _while(self, until: bool) -> While:
        word = "until" if until else "while"
        self._expect(word)
        condition = self._compound_body(word, "do")
        self._expect("do")
        body = self._compound_body(word, "done")
        self._expect("done")
        return While(condition, body, until, self._redirects())

    def _for(self, keyword: str) -> For:
        self._expect(keyword)
        self._skip_blanks()
        match = re.compile(r"[A-Za-z_]\w*(?=[\s;]|$)", re.ASCII).match(self._text, self._at)
        if match is None:
            raise self.unexpected()
        self._at = match.end()
        self._skip_newlines()
        words: tuple[Word, ...] | None = None
        if self._keyword() == "in":
            self._expect("in")
            words = tuple(iter(self._word, None))
        self._skip_separator()
        if self._keyword() not in ("do", "{"):
            raise self.unexpected()
        opening, closer = ("do", "done") if self._keyword() == "do" else ("{", "}")
        self._expect(opening)
        body = self._compound_body(keyword, closer)
        self._expect(closer)
        return For(match[0], words, body, keyword == "select", self._redirects())

    def _case(self) -> CaseCommand:
        self._expect("case")
        self._openings.append("case")
        word = self._word()
        if word is None:
            raise self.unexpected()
        self._skip_newlines()
        self._expect("in")
        branches: list[CaseBranch] = []
        self._skip_newlines()
        while self._keyword() != "esac":
            branches.append(self._branch())
            self._skip_newlines()
        self._expect("esac")
        self._openings.pop()
        return CaseCommand(word, tuple(branches), self._redirects())

    def _branch(self) -> CaseBranch:
        patterns, body = self._patterns(), self.script(_BRANCH)
        if not self._ends_branch():
            return CaseBranch(patterns, body)
        self._at += 2
        return CaseBranch(patterns, body, self._text[self._at - 2 : self._at])

    def _patterns(self) -> tuple[Word, ...]:
        """Parse ``a|b)``, with or without an opening bracket."""
        if self._text.startswith("(", self._at):
            self._at += 1
        patterns: list[Word] = []
        while True:
            pattern = self._word()
            if pattern is None:
                raise self.unexpected()
            patterns.append(pattern)
            self._skip_blanks()
            if not self._text.startswith("|", self._at):
                self._expect(")")
                return tuple(patterns)
            self._at += 1

    def _simple(self) -> SimpleCommand:
        assignments: list[Assignment] = []
        words: list[Word] = []
        redirects: list[Redirect] = []
        self._skip_blanks()
        self._replace_alias(set())
        line = self._text.count("\n", 0, self._at) + 1 + self._removed
        while True:
            self._skip_blanks()
            if redirect := self._redirect():
                redirects.append(redirect)
                continue
            if not words and (assignment := self._assignment()):
                assignments.append(assignment)
                continue
            word = self._word()
            if word is None:
                break
            words.append(word)
        if not (assignments or words or redirects):
            raise self.unexpected()
        return SimpleCommand(tuple(assignments), tuple(words), tuple(redirects), line)

    def _replace_alias(self, used: set[str]) -> None:
        """Replace the name of an alias at the current place by its text, which may begin with another's."""
        match = (
            re.compile(r"[\w.!%,@-]+(?=[\s;&|()<>]|$)").match(self._text, self._at) if self._aliases else None
        )
        name = match[0] if match else ""
        if match and name in self._aliases and name not in used:
            self._text = self._text[: self._at] + self._aliases[name] + self._text[match.end() :]
            self._replace_alias(used | {name})

    def _assignment(self) -> Assignment | None:
        match = _ASSIGNMENT.match(self._text, self._at)
        if match is None:
            return None
        self._at = match.end()
        subscript = None
        if match[2] is not None:
            subscript = WordReader(match[2], 0, _parse_nested(self._depth)).document(False)
        lists = subscript is None and self._text.startswith("(", self._at)
        elements = self._elements() if lists else None
        value = Word(()) if elements is not None else self._word(skip=False) or Word(())
        return Assignment(match[1], value, subscript, match[3] == "+=", elements)

    def _elements(self) -> tuple[Word, ...]:
        self._at += 1
        words: list[Word] = []
        while True:
            self._skip_newlines()
            if self._text.startswith(")", self._at):
                self._at += 1
                return tuple(words)
            word = self._word()
            if word is None:
                if self.at_end:
                    raise ShellSyntaxError("syntax error: unexpected EOF", incomplete=True)
                raise self.unexpected()
            words.append(word)

    def _redirects(self) -> tuple[Redirect, ...]:
        redirects: list[Redirect] = []
        while True:
            self._skip_blanks()
            redirect = self._redirect()
            if redirect is None:
                return tuple(redirects)
            redirects.append(redirect)

    def _redirect(self) -> Redirect | None:
        match = _REDIRECT.match(self._text, self._at)
        if match is None:
            return None
        self._at = match.end()
        operator = match[2]
        target = self._word()
        if target is None:
            raise self.unexpected()
        if operator in ("<<", "<<-"):
            target = self._document(target, operator == "<<-")
            operator = "<<"
        standard = 0 if operator.startswith("<") else 1
        return Redirect(int(match[1][-3:] or standard), operator, target)

    def _document(self, delimiter: Word, strip_tabs: bool) -> Word:
        """The lines after this one up to the delimiter; they are removed from the text."""
        end_word = "".join(getattr(part, "text", "") for part in delimiter.parts)
        literal = any(getattr(part, "quoted", False) for part in delimiter.parts)
        line_end = self._text.find("\n", self._at)
        if line_end < 0:
            raise ShellSyntaxError(f"here document '{end_word}' unclosed", incomplete=True)
        lines = self._text[line_end + 1 :].split("\n")
        stripped = [line.lstrip("\t") for line in lines] if strip_tabs else lines
        if end_word not in stripped:
            raise ShellSyntaxError(f"here document '{end_word}' unclosed", incomplete=True)
        count = stripped.index(end_word)
        body = "".join(line + "\n" for line in stripped[:count])
        self._removed += count + 1
        self._text = self._text[: line_end + 1] + "\n".join(lines[count + 1 :])
        return WordReader(body, 0, _parse_nested(self._depth)).document(literal)

    def _word(self, *, skip: bool = True) -> Word | None:
        if skip:
            self._skip_blanks()
        reader = WordReader(self._text, self._at, _parse_nested(self._depth))
        word = reader.word()
        self._at, self._text = reader.at, reader.text
        return word

    def _keyword(self) -> str:
        self._skip_blanks()
        match = re.compile(r"[A-Za-z_]\w*(?=[\s;&|()<>]|$)|[{}!](?=\s|;|$)").match(self._text, self._at)
        return match[0] if match else ""

    def _expect(self, text: str) -> None:
        self._skip_newlines()
        if not self._text.startswith(text, self._at):
            raise self.unexpected()
        self._at += len(text)

    def _skip_blanks(self) -> None:
        while not self.at_end:
            if self._text[self._at] in _BLANKS:
                self._at += 1
            elif self._text.startswith("\\\n", self._at):
                self._at += 2
            elif self._text[self._at] == "#" and (self._at == 0 or self._text[self._at - 1] in " \t\n;&|("):
                end = self._text.find("\n", self._at)
                self._at = len(self._text) if end < 0 else end
            else:
                return

    def _skip_newlines(self) -> None:
        self._skip_blanks()
        while not self.at_end and self._text[self._at] in "\r\n":
            self._at += 1
            self._skip_blanks()

    def _skip_separator(self) -> None:
        self._skip_newlines()
        if self._text.startswith(";", self._at):
            self._at += 1
        self._skip_newlines()


def _parse_nested(depth: int) -> NestedParser:
    def parse_inner(text: str, at: int = 0, *, whole: bool = False) -> tuple[Script, int, str]:
        parser = _Parser(text, depth + 1, at)
        return parser.inner(whole)

    return parse_inner
