"""Parse command lines as mksh does: quotes, expansions, pipes, lists and common compounds."""

from __future__ import annotations

import re
from collections.abc import Callable

from collector.virtual.shell.syntax import (
    AndOr,
    CaseCommand,
    Command,
    For,
    Function,
    GroupCommand,
    If,
    Pipeline,
    Redirect,
    Script,
    SimpleCommand,
    While,
    Word,
)
from collector.virtual.shell.word_reader import ShellSyntaxError, WordReader

_ASSIGNMENT = re.compile(r"([A-Za-z_]\w*)=")
_REDIRECT = re.compile(r"(\d*)(<<-|<<|>>|>&|<&|&>|>\||>|<)")
_NO_ARGUMENTS = r"\([ \t]*\)"
_FUNCTION = re.compile(
    rf"(?:function[ \t]+([A-Za-z_]\w*)[ \t]*(?:{_NO_ARGUMENTS})?|([A-Za-z_]\w*)[ \t]*{_NO_ARGUMENTS})\s*"
)
_BLANKS = " \t"
_CLOSERS = frozenset({"then", "else", "elif", "fi", "do", "done", "}"})
_BRANCH = ";;"
"""Separator of ``case`` branches; the last branch may end with ``esac`` alone."""
_MAX_DEPTH = 60


def parse(text: str) -> Script:
    """Parse a whole command line or script; raise ShellSyntaxError with mksh's message."""
    parser = _Parser(text)
    script = parser.script()
    if not parser.at_end:
        raise ShellSyntaxError(f"syntax error: unexpected '{parser.peek_token()}'")
    return script


class _Parser:
    def __init__(self, text: str, depth: int = 0) -> None:
        if depth > _MAX_DEPTH:
            raise ShellSyntaxError("syntax error: nested too deeply")
        self._text = text
        self._at = 0
        self._depth = depth

    @property
    def at_end(self) -> bool:
        return self._at >= len(self._text)

    def peek_token(self) -> str:
        match = re.compile(r"[;&|()<>]{1,2}|\S+").match(self._text, self._at)
        return match[0] if match else "newline"

    def script(self, closer: str = "") -> Script:
        """Parse a list up to a closing word or bracket, which stays unread."""
        items: list[AndOr] = []
        while True:
            self._skip_separators()
            if self.at_end or self._closes(closer):
                return Script(tuple(items))
            item = self._and_or()
            self._skip_blanks()
            background = self._text.startswith("&", self._at) and not self._text.startswith("&&", self._at)
            if background:
                self._at += 1
            elif not self.at_end and self._text[self._at] not in ";\n" and not self._closes(closer):
                raise ShellSyntaxError(f"syntax error: unexpected '{self.peek_token()}'")
            items.append(AndOr(item.first, item.rest, background))

    def _closes(self, closer: str) -> bool:
        if closer == ")":
            return self._text.startswith(")", self._at)
        if closer == _BRANCH:
            return self._text.startswith(_BRANCH, self._at) or self._keyword() == "esac"
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
        self._skip_blanks()
        negated = self._keyword() == "!"
        if negated:
            self._at += 1
        commands = [self._command()]
        while True:
            self._skip_blanks()
            if not self._text.startswith("|", self._at) or self._text.startswith("||", self._at):
                return Pipeline(tuple(commands), negated)
            self._at += 1
            self._skip_newlines()
            commands.append(self._command())

    def _command(self) -> Command:
        self._skip_blanks()
        if self._text.startswith("(", self._at):
            self._at += 1
            body = self._nested(")")
            self._expect(")")
            return GroupCommand(body, True, self._redirects())
        compounds: dict[str, Callable[[], Command]] = {
            "{": self._braces,
            "if": self._if,
            "while": lambda: self._while(False),
            "until": lambda: self._while(True),
            "for": self._for,
            "case": self._case,
        }
        if match := _FUNCTION.match(self._text, self._at):
            self._at = match.end()
            return Function(match[1] or match[2], self._command())
        return compounds.get(self._keyword(), self._simple)()

    def _nested(self, closer: str) -> Script:
        self._depth += 1
        if self._depth > _MAX_DEPTH:
            raise ShellSyntaxError("syntax error: nested too deeply")
        body = self.script(closer)
        self._depth -= 1
        return body

    def _braces(self) -> GroupCommand:
        self._expect("{")
        body = self._nested("}")
        self._expect("}")
        return GroupCommand(body, False, self._redirects())

    def _if(self) -> If:
        branches: list[tuple[Script, Script]] = []
        otherwise = None
        self._expect("if")
        while True:
            condition = self._nested("then")
            self._expect("then")
            branches.append((condition, self._nested("fi")))
            if self._keyword() != "elif":
                break
            self._expect("elif")
        if self._keyword() == "else":
            self._expect("else")
            otherwise = self._nested("fi")
        self._expect("fi")
        return If(tuple(branches), otherwise, self._redirects())

    def _while(self, until: bool) -> While:
        self._expect("until" if until else "while")
        condition = self._nested("do")
        self._expect("do")
        body = self._nested("done")
        self._expect("done")
        return While(condition, body, until, self._redirects())

    def _for(self) -> For:
        self._expect("for")
        self._skip_blanks()
        name = self._keyword()
        self._expect(name)
        self._skip_newlines()
        words: list[Word] = []
        if self._keyword() == "in":
            self._expect("in")
            while (word := self._word()) is not None:
                words.append(word)
        self._skip_separators()
        self._expect("do")
        body = self._nested("done")
        self._expect("done")
        return For(name, tuple(words), body, self._redirects())

    def _case(self) -> CaseCommand:
        self._expect("case")
        word = self._word() or Word(())
        self._skip_newlines()
        self._expect("in")
        branches: list[tuple[tuple[Word, ...], Script]] = []
        self._skip_newlines()
        while self._keyword() != "esac":
            branches.append((self._patterns(), self._nested(_BRANCH)))
            if self._text.startswith(_BRANCH, self._at):
                self._at += len(_BRANCH)
            self._skip_newlines()
        self._expect("esac")
        return CaseCommand(word, tuple(branches), self._redirects())

    def _patterns(self) -> tuple[Word, ...]:
        """Parse ``a|b)``, with or without an opening bracket."""
        if self._text.startswith("(", self._at):
            self._at += 1
        patterns: list[Word] = []
        while True:
            patterns.append(self._word() or Word(()))
            self._skip_blanks()
            if not self._text.startswith("|", self._at):
                self._expect(")")
                return tuple(patterns)
            self._at += 1

    def _simple(self) -> SimpleCommand:
        assignments: list[tuple[str, Word]] = []
        words: list[Word] = []
        redirects: list[Redirect] = []
        while True:
            self._skip_blanks()
            redirect = self._redirect()
            if redirect:
                redirects.append(redirect)
                continue
            match = _ASSIGNMENT.match(self._text, self._at) if not words else None
            if match:
                self._at = match.end()
                assignments.append((match[1], self._word(skip=False) or Word(())))
                continue
            word = self._word()
            if word is None:
                break
            words.append(word)
        if not (assignments or words or redirects):
            raise ShellSyntaxError(f"syntax error: unexpected '{self.peek_token()}'", incomplete=self.at_end)
        return SimpleCommand(tuple(assignments), tuple(words), tuple(redirects))

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
        operator = ">" if match[2] == ">|" else match[2]
        target = self._word()
        if target is None:
            raise ShellSyntaxError(f"syntax error: unexpected '{self.peek_token()}'")
        if operator.startswith("<<"):
            target = self._document(target, operator == "<<-")
            operator = "<<"
        standard = 0 if operator.startswith("<") else 1
        return Redirect(int(match[1] or standard), operator, target)

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
        self._text = self._text[: line_end + 1] + "\n".join(lines[count + 1 :])
        return WordReader(body, 0, _parse_nested(self._depth)).document(literal)

    def _word(self, *, skip: bool = True) -> Word | None:
        if skip:
            self._skip_blanks()
        reader = WordReader(self._text, self._at, _parse_nested(self._depth))
        word = reader.word()
        self._at = reader.at
        return word

    def _keyword(self) -> str:
        self._skip_blanks()
        match = re.compile(r"[A-Za-z_]\w*(?=[\s;&|()<>]|$)|[{}!](?=\s|;|$)").match(self._text, self._at)
        return match[0] if match else ""

    def _expect(self, text: str) -> None:
        self._skip_separators()
        if not text or not self._text.startswith(text, self._at):
            raise ShellSyntaxError(f"syntax error: unexpected '{self.peek_token()}'", incomplete=self.at_end)
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

    def _skip_separators(self) -> None:
        self._skip_newlines()
        while not self.at_end and self._text[self._at] == ";":
            if self._text.startswith(_BRANCH, self._at):
                return
            self._at += 1
            self._skip_newlines()


def _parse_nested(depth: int) -> Callable[[str], Script]:
    def parse_inner(text: str) -> Script:
        parser = _Parser(text, depth + 1)
        script = parser.script()
        if not parser.at_end:
            raise ShellSyntaxError(f"syntax error: unexpected '{parser.peek_token()}'")
        return script

    return parse_inner
