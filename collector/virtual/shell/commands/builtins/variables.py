"""Builtins that change variables, options and arguments."""

from __future__ import annotations

import re

from collector.virtual.shell.language.arithmetic import ExpansionError, calculate
from collector.virtual.shell.language.control_flow import NAME, FatalError
from collector.virtual.shell.language.expansion import quoted_word
from collector.virtual.shell.language.redirection import stream_of
from collector.virtual.shell.language.select_menu import read_line
from collector.virtual.shell.language.shell_state import FLAGS
from collector.virtual.shell.language.variable_store import ReadOnlyError
from collector.virtual.shell.pipes import InputPipe, Streams
from collector.virtual.shell.process import CallingShell, CommandError, Process, encode
from collector.virtual.shell.registry import command

_NAME = re.compile(r"[A-Za-z_]\w*(?:\[[^\]]*\])?", re.ASCII)
_LONG = ("allexport", "asis", "bgnice", "braceexpand", "emacs", "errexit", "gmacs", "ignoreeof",
         "inherit-xtrace", "interactive", "keyword", "login", "markdirs", "monitor", "noclobber", "noexec",
         "noglob", "nohup", "nolog", "notify", "nounset", "physical", "pipefail", "posix", "privileged",
         "restricted", "sh", "stdin", "trackall", "utf8-mode", "verbose", "vi", "vi-esccomplete",
         "vi-tabcomplete", "viraw", "xtrace")  # fmt: skip
_LETTERS = {letter: name for name, letter in FLAGS.items()} | {
    "h": "trackall",
    "b": "notify",
    "p": "privileged",
}


def _assigned(process: Process, word: str) -> tuple[str, str | None]:
    """Name and value of an argument ``name=value``; FatalError for what is no name."""
    name, equals, value = word.partition("=")
    if not _NAME.fullmatch(name):
        raise FatalError(f"{NAME}: {process.name}: {word}: not an identifier")
    return name, value if equals else None


@command("set")
def set_(process: Process) -> int:
    """List variables, switch options, set the arguments of the shell or an array (``-A``)."""
    shell, words = process.shell, list(process.arguments)
    if not words:
        for name, value in sorted(shell.variables.items()):
            process.line(f"{name}={quoted_word(value)}")
        return 0
    while words and words[0][:1] in ("-", "+"):
        word = words.pop(0)
        if word in ("--", "-", "+"):
            if word == "-":
                shell.options -= {"xtrace", "verbose"}
            if words or word == "--":
                shell.arguments = words
            return 0
        sign, letters = word[0], word[1:]
        if letters == "A":
            return _set_array(process, words, replaces=sign == "-")
        named = letters.endswith("o")
        _switch_all(process, sign, letters[:-1] if named else letters)
        if named and not words:
            return _list_options(process, typeable=sign == "+")
        if named:
            _switch(process, sign, words.pop(0))
    if words:
        shell.arguments = words
    return 0


def _switch_all(process: Process, sign: str, letters: str) -> None:
    for letter in letters:
        if letter not in _LETTERS:
            raise FatalError(f"{NAME}: {process.name}: {sign}{letter}: unknown option")
        _switch(process, sign, _LETTERS[letter])


def _switch(process: Process, sign: str, name: str) -> None:
    if name not in _LONG:
        raise FatalError(f"{NAME}: {process.name}: {name}: unknown option")
    if sign == "-":
        process.shell.options.add(name)
    else:
        process.shell.options.discard(name)


def _list_options(process: Process, *, typeable: bool) -> int:
    on = process.shell.options | {"braceexpand", "trackall", "utf8-mode"}
    if typeable:
        process.line(
            " ".join(["set -o .reset", *(f"-o {name}" for name in _LONG if name in process.shell.options)])
        )
        return 0
    process.line("Current option settings")
    for name in _LONG:
        process.line(f"{name:<14} {'on' if name in on else 'off'}")
    return 0


def _set_array(process: Process, words: list[str], *, replaces: bool) -> int:
    if not words:
        raise FatalError(f"{NAME}: set: -A: missing array name")
    name = words.pop(0)
    if words[:1] == ["--"]:
        words.pop(0)
    if replaces:
        process.shell.store.unset(name)
    for place, value in enumerate(words):
        process.shell.set_element(name, place, value)
    return 0


@command("export", "readonly", "typeset", "local", "integer")
def typeset(process: Process) -> int:
    """Declare variables with attributes, in a function as local ones."""
    letters = {"export": "x", "readonly": "r", "integer": "i"}.get(process.name, "")
    words: list[str] = []
    removed, shows = "", False
    for word in process.arguments:
        if not words and re.fullmatch(r"[-+][a-zA-Z]+\d*", word):
            shows = shows or "p" in word
            given = re.sub(r"[p\d]", "", word[1:])
            letters, removed = (letters + given, removed) if word[0] == "-" else (letters, removed + given)
        elif word != "--":
            words.append(word)
    if "f" in letters or not words or (shows and process.name == "typeset"):
        return _show(process, letters, words, shows=shows)
    for word in words:
        name, value = _assigned(process, word)
        if process.name not in ("export", "readonly"):
            process.shell.make_local(name)
        _declare(process.shell, name, value, letters, removed)
    return 0


def _declare(shell: CallingShell, name: str, value: str | None, letters: str, removed: str) -> None:
    attributes = shell.store.attributes.setdefault(name, set())
    if "r" in removed and "r" in attributes:
        raise ReadOnlyError(name)
    attributes -= set(removed)
    attributes |= set(letters) - {"r"}
    if value is None and set(letters) & set("iul") and (current := shell.variables.get(name)):
        shell.set_variable(name, current)
    if value is not None:
        shell.set_variable(name, value)
    if "r" in letters:
        attributes.add("r")
    if "x" in letters:
        shell.exported.add(name)
    if "x" in removed:
        shell.exported.discard(name)


def _show(process: Process, letters: str, words: list[str], *, shows: bool) -> int:
    shell = process.shell
    if "f" in letters:
        return int(not all(name in shell.functions for name in words))
    for name in sorted(words or shell.variables):
        attributes = shell.store.attributes.get(name, set()) | ({"x"} if name in shell.exported else set())
        if letters and not set(letters) <= attributes:
            continue
        value = f"={quoted_word(shell.variables[name])}" if name in shell.variables else ""
        if process.name == "typeset" and shows:
            flags = "".join(f" -{letter}" for letter in "xrilu" if letter in attributes)
            process.line(f"typeset{flags} {name}{value}")
        elif shows:
            process.line(f"{process.name} {name}{value}")
        else:
            process.line(name if process.name in ("export", "readonly") else f"{name}{value}")
    return 0


@command("unset")
def unset(process: Process) -> int:
    """Delete variables, elements of arrays, or with ``-f`` functions."""
    words = list(process.arguments)
    functions = False
    while words and re.fullmatch(r"-[fv]+|--", words[0]):
        functions = functions or "f" in words.pop(0)
    for name in words:
        match = re.fullmatch(r"(\w+)\[(.*)\]", name)
        if functions:
            process.shell.functions.pop(name, None)
        elif match and match[2] not in ("*", "@"):
            process.shell.store.unset_element(match[1], calculate(match[2], process.shell))
        else:
            try:
                process.shell.store.unset(match[1] if match else name)
            except ReadOnlyError as error:
                raise FatalError(f"{NAME}: {error}", 1) from None
    return 0


@command("let")
def let(process: Process) -> int:
    """Evaluate expressions; succeed when the last is not 0."""
    if not process.arguments:
        raise CommandError(f"{NAME}: let: missing argument")
    value = 0
    try:
        for word in process.arguments:
            value = calculate(word, process.shell)
    except ReadOnlyError:
        raise
    except ExpansionError as error:
        raise CommandError(f"{NAME}: {error}", 2) from None
    return int(not value)


@command("shift")
def shift(process: Process) -> int:
    """Drop the first positional parameters."""
    count = calculate(process.arguments[0], process.shell) if process.arguments else 1
    if count < 0:
        raise FatalError(f"{NAME}: shift: {process.arguments[0]}: bad number")
    if count > len(process.shell.arguments):
        raise FatalError(f"{NAME}: shift: nothing to shift")
    process.shell.arguments = process.shell.arguments[count:]
    return 0


@command("read")
def read(process: Process) -> int:
    """Read a line into variables: ``-r`` raw, ``-A`` into an array, ``-d``, ``-n``, ``-N``, ``-u``."""
    options, names = _read_options(process)
    streams = process.streams
    if "u" in options:
        source = stream_of(streams, int(options["u"])) if options["u"].isdecimal() else None
        if not isinstance(source, InputPipe):
            raise CommandError(f"{NAME}: read: -u: {options['u']}: bad file descriptor")
        streams = Streams(source, streams.stdout, streams.stderr)
    if "p" in options:
        if process.shell.coprocess is None:
            raise CommandError(f"{NAME}: read: -p: no coprocess", 2)
        process.interruption.on_set(process.shell.coprocess.from_it.close_writing)
        streams = Streams(process.shell.coprocess.from_it, streams.stdout, streams.stderr)
    text, complete = _read_text(streams, options)
    shell = process.shell
    separators = shell.variable("IFS")
    fields = _fields(text, " \t\n" if separators is None else separators, 0 if "A" in options else len(names))
    if "A" in options:
        shell.store.unset(names[0])
        for place, value in enumerate(fields):
            shell.set_element(names[0], place, value)
    else:
        for place, name in enumerate(names):
            shell.set_variable(name, fields[place] if place < len(fields) else "")
    return int(not complete)


def _read_options(process: Process) -> tuple[dict[str, str], list[str]]:
    options: dict[str, str] = {}
    words = list(process.arguments)
    while words and words[0][:1] == "-" and words[0] != "-":
        letters = words.pop(0)[1:]
        if letters == "-":
            break
        while letters:
            letter, letters = letters[0], letters[1:]
            if letter in "dnNut":
                if not letters and not words:
                    raise CommandError(f"{NAME}: read: -{letter}: requires an argument", 2)
                options[letter], letters = letters or words.pop(0), ""
            elif letter in "rAaps":
                options[letter] = ""
            else:
                raise CommandError(f"{NAME}: read: -{letter}: unknown option", 2)
    names = [re.sub(r"\?.*", "", word) for word in words] or ["REPLY"]
    for name in names:
        if not _NAME.fullmatch(name):
            raise CommandError(f"{NAME}: read: {name}: not an identifier", 2)
    return options, names


def _read_text(streams: Streams, options: dict[str, str]) -> tuple[str, bool]:
    """What was read without its end, and whether the end was there."""
    limit = next((int(options[letter]) for letter in "nN" if options.get(letter, "").isdecimal()), 0)
    if limit:
        data = b""
        while len(data) < limit and (character := streams.stdin.read(1)):
            if character == b"\n" and "n" in options:
                break
            data += character
        return data.decode("utf-8", "surrogateescape"), bool(data)
    end = encode(options["d"])[:1] or b"\0" if "d" in options else b"\n"
    text = ""
    while True:
        line = read_line(streams, end)
        text += line.removesuffix(end).decode("utf-8", "surrogateescape")
        continued = "r" not in options and re.search(r"(?<!\\)(?:\\\\)*\\$", text)
        if not (line.endswith(end) and continued):
            break
        text = text[:-1]
    if "r" not in options:
        text = re.sub(r"\\(.)", r"\1", text)
    return text, line.endswith(end)


def _fields(text: str, separators: str, count: int) -> list[str]:
    """Split by IFS into at most ``count`` fields (0: any), the last with the rest of the line."""
    blanks = "".join(character for character in separators if character in " \t\n")
    others = "".join(character for character in separators if character not in " \t\n")
    text = text.strip(blanks) if blanks else text
    if not separators:
        return [text]
    blank = f"[{re.escape(blanks)}]" if blanks else "(?!)"
    other = f"[{re.escape(others)}]" if others else "(?!)"
    source = rf"{blank}*{other}{blank}*|{blank}+"
    fields = re.split(source, text, maxsplit=count - 1 if count else 0) if count != 1 else [text]
    if count and len(fields) == count and others and fields[-1][-1:] in others and fields[-1]:
        rest = re.split(source, fields[-1])
        if len(rest) == 2 and not rest[1]:
            fields[-1] = rest[0]
    elif fields and not fields[-1]:
        fields.pop()
    return fields


@command("getopts")
def getopts(process: Process) -> int:
    """Take the next option of the arguments; status 1 after the last."""
    shell = process.shell
    if len(process.arguments) < 2:
        missing = "name" if process.arguments else "options"
        raise CommandError(f"{NAME}: getopts: missing {missing} argument", 2)
    letters, name, *words = process.arguments
    words = words or shell.arguments
    place = max(1, calculate(shell.variable("OPTIND") or "1", shell))
    word = words[place - 1] if place <= len(words) else ""
    offset = shell.option_offset if place == shell.option_place else 0
    if not offset and (word[:1] != "-" or word in ("-", "--")):
        shell.set_variable("OPTIND", str(place + (word == "--")))
        shell.set_variable(name, "?")
        return 1
    letter = word[max(offset, 1)]
    rest = word[max(offset, 1) + 1 :]
    following = words[place] if place < len(words) else None
    answer, value, taken = _option(process, letters, letter, rest, following)
    if taken or not rest:
        place, offset = place + max(taken, 1), 0
    else:
        offset = max(offset, 1) + 1
    shell.option_place, shell.option_offset = place, offset
    shell.set_variable("OPTIND", str(place))
    shell.set_variable(name, answer)
    if value is None:
        shell.variables.pop("OPTARG", None)
    else:
        shell.set_variable("OPTARG", value)
    return 0


def _option(
    process: Process, letters: str, letter: str, rest: str, following: str | None
) -> tuple[str, str | None, int]:
    """What ``getopts`` answers, the option's argument, and how many words it takes (0: the letter alone)."""
    quiet = letters.startswith(":")
    if letter == ":" or letter not in letters:
        if not quiet:
            process.err(f"{NAME}: -{letter}: unknown option")
        return "?", letter if quiet else None, 0
    if letters[letters.index(letter) + 1 :][:1] != ":":
        return letter, None, 0
    if rest:
        return letter, rest, 1
    if following is not None:
        return letter, following, 2
    if not quiet:
        process.err(f"{NAME}: -{letter}: requires an argument")
    return (":", letter, 1) if quiet else ("?", None, 1)
