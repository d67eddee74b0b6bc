"""Parse an intent from ``-a``, ``-n``, ``--es`` and the rest, and print one as Android does."""

from __future__ import annotations

import re
from dataclasses import dataclass

from collector.virtual.shell.process import CommandError
from collector.virtual.ui.effects import ACTION_MAIN, ACTION_VIEW, CATEGORY_LAUNCHER, Component, Intent

_ONE_VALUE = {
    "--user",
    "-f",
    "--windowingMode",
    "--activityType",
    "--display",
    "-R",
    "-P",
    "-i",
    "-t",
    "--task",
}
_SWITCHES = {
    "-W",
    "-S",
    "-D",
    "-N",
    "--activity-clear-top",
    "--activity-clear-task",
    "--activity-brought-to-front",
}
_EXTRAS_WITH_VALUE = {
    "--es",
    "-e",
    "--ez",
    "--ei",
    "--el",
    "--ef",
    "--eu",
    "--ecn",
    "--esa",
    "--eia",
    "--ela",
}
_PRIVATE_SCHEMES = frozenset({"mailto", "nfc", "sip", "sms", "smsto", "tel"})


@dataclass(frozen=True, slots=True)
class IntentRequest:
    """An intent and the options for starting it."""

    intent: Intent
    switches: frozenset[str]


def read_intent(words: list[str]) -> IntentRequest:
    """Parse the arguments of ``am start`` and ``am broadcast``; CommandError with am's message."""
    rest = list(words)
    values: dict[str, str] = {}
    categories: list[str] = []
    extras: dict[str, object] = {}
    switches: set[str] = set()

    def following(option: str) -> str:
        if not rest:
            raise CommandError(f'Error: Argument expected after "{option}"', 255)
        return rest.pop(0)

    while rest:
        word = rest.pop(0)
        if word in ("-a", "-d", "-n", "-p"):
            values[word] = following(word)
        elif word == "-c":
            categories.append(following(word))
        elif word in _EXTRAS_WITH_VALUE:
            key = following(word)
            extras[key] = _extra(word, following(word))
        elif word == "--esn":
            extras[following(word)] = None
        elif word in _ONE_VALUE:
            values[word] = following(word)
        elif word in _SWITCHES or word.startswith("--"):
            switches.add(word)
        elif word.startswith("-"):
            raise CommandError(f"Error: Unknown option: {word}", 255)
        else:
            _positional(word, values)
    return IntentRequest(_intent(values, tuple(categories), extras), frozenset(switches))


def _positional(word: str, values: dict[str, str]) -> None:
    """An argument without an option is a component, an address or a package."""
    if ":" in word:
        values["-d"] = word
    elif "/" in word:
        values["-n"] = word
    else:
        values["-p"] = word


def _intent(values: dict[str, str], categories: tuple[str, ...], extras: dict[str, object]) -> Intent:
    component = None
    if "-n" in values:
        try:
            component = Component.parse(values["-n"])
        except ValueError:
            raise CommandError(f"Error: Bad component name: {values['-n']}", 255) from None
    action = values.get("-a", "")
    if not action and "-d" in values:
        action = ACTION_VIEW
    if not action and component is None and "-p" in values:
        action, categories = ACTION_MAIN, (*categories, CATEGORY_LAUNCHER)
    flags = _flags(values.get("-f", "0"))
    return Intent(
        action, component, values.get("-p", ""), values.get("-d", ""), categories, extras, flags,
        values.get("-t", ""),
    )  # fmt: skip


def _flags(text: str) -> int:
    try:
        return int(text, 0)
    except ValueError:
        raise CommandError(f"Error: Invalid flags: {text}", 255) from None


def _extra(option: str, text: str) -> object:
    if option == "--ez":
        lowered = text.lower()
        if lowered not in ("true", "false", "t", "f", "1", "0"):
            raise CommandError(f"Error: Invalid boolean value: {text}", 255)
        return lowered in ("true", "t", "1")
    try:
        if option in ("--ei", "--el"):
            return int(text, 0)
        if option == "--ef":
            return float(text)
        if option in ("--eia", "--ela"):
            return [int(number) for number in text.split(",")]
    except ValueError:
        raise CommandError(f"Error: Invalid number: {text}", 255) from None
    return text.split(",") if option == "--esa" else text


def intent_uri(intent: Intent) -> str:
    """Format as ``intent:...#Intent;action=...;end``, which monkey prints too."""
    parts = [f"action={intent.action}"] if intent.action else []
    parts += [f"category={category}" for category in intent.categories]
    parts += [f"type={intent.type}"] if intent.type else []
    parts += [f"launchFlags={intent.flags:#x}"] if intent.flags else []
    parts += [f"package={intent.package}"] if intent.package else []
    parts += [f"component={intent.component.short}"] if intent.component else []
    scheme, colon, rest = intent.data.partition(":")
    if colon:
        parts.insert(0, f"scheme={scheme}")
    return f"intent:{rest}#Intent;{''.join(f'{part};' for part in parts)}end"


def intent_text(intent: Intent) -> str:
    """Format as ``Intent { act=... cmp=... }``."""
    parts: list[str] = []
    if intent.action:
        parts.append(f"act={intent.action}")
    if intent.categories:
        parts.append(f"cat=[{','.join(intent.categories)}]")
    if intent.data:
        parts.append(f"dat={safe_uri(intent.data)}")
    if intent.type:
        parts.append(f"typ={intent.type}")
    if intent.flags:
        parts.append(f"flg={intent.flags:#x}")
    if intent.package:
        parts.append(f"pkg={intent.package}")
    if intent.component:
        parts.append(f"cmp={intent.component.short}")
    if intent.extras:
        parts.append("(has extras)")
    return f"Intent {{ {' '.join(parts)} }}"


def safe_uri(uri: str) -> str:
    """A URI as Android prints it, without what may be private: ``https://host/...``, ``tel:xxx``."""
    scheme, colon, rest = uri.partition(":")
    if not colon:
        return uri
    if scheme.lower() in _PRIVATE_SCHEMES:
        return f"{scheme}:" + "".join(letter if letter in "-@." else "x" for letter in rest)
    if not rest.startswith("/"):
        return f"{scheme}:"
    authority = re.split(r"[/?#]", rest[2:], maxsplit=1)[0] if rest.startswith("//") else None
    host = "" if authority is None else "//" + authority.rpartition("@")[2]
    return f"{scheme}:{host}/..."
