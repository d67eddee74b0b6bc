"""Fill values into the placeholders of commands, each as one quoted word."""

from __future__ import annotations

import math
import re
from collections.abc import Mapping
from dataclasses import replace

from collector.adb.quoting import quote
from collector.anomalies import grammar
from collector.anomalies.errors import Unsuitable
from collector.anomalies.model import Anomaly, AnomalyParameter
from collector.model.companion.activities import ACTIVITIES, FLAG, INTEGER, TEXT
from collector.model.i18n import _
from collector.model.phone.android_names import is_package

PACKAGE = "package"
_RESTORED = re.compile(r"settings put (\S+) (\S+) \{(\w+)\}")
_UNSET = "null"
"""What ``settings get`` prints for a key that has no value."""
_FLAG_WORDS = {"true": True, "yes": True, "1": True, "false": False, "no": False, "0": False}


def fill(text: str, values: Mapping[str, str]) -> str:
    """``text`` with each ``{name}`` of ``values`` as one word; unknown names stay as they are.

    A setting that had no value is deleted, not set to the word null. Raises Unsuitable for a value
    no argument can carry.
    """
    restored = _RESTORED.fullmatch(text)
    if restored and values.get(restored[3]) == _UNSET:
        return f"settings delete {restored[1]} {restored[2]}"
    try:
        return grammar.NAMED.sub(lambda m: quote(values[m[1]]) if m[1] in values else m[0], text)
    except ValueError as error:
        raise Unsuitable(_("A value cannot be given to the phone"), str(error)) from None


def fill_pattern(text: str, values: Mapping[str, str]) -> re.Pattern[str]:
    """A regular expression in which each ``{name}`` matches its value literally."""
    filled = grammar.NAMED.sub(lambda m: re.escape(values[m[1]]) if m[1] in values else m[0], text)
    try:
        return re.compile(filled, re.MULTILINE)
    except re.error as error:
        what = _("The value makes no regular expression of {pattern}", pattern=text)
        raise Unsuitable(what, str(error)) from None


def named_in(text: str) -> set[str]:
    """The names a command uses."""
    return set(grammar.NAMED.findall(text))


def values_of(
    anomaly: Anomaly, given: Mapping[str, object] | None = None, package: str = ""
) -> dict[str, str]:
    """The values for an anomaly's commands and dialog: its own, replaced by those in ``given``.

    Raises Unsuitable for a name it does not have, a value of another type or out of range, and for what
    is no package.
    """
    known = {parameter.name: parameter for parameter in anomaly.parameters}
    for name in given or ():
        if name not in known:
            to_do = _("It has: {known}", known=", ".join(known)) if known else ""
            raise Unsuitable(_("{id} has no parameter {name}", id=anomaly.id, name=name), "", to_do)
    values = {name: _written(parameter.value) for name, parameter in known.items()}
    values |= {name: _read(known[name], value) for name, value in (given or {}).items()}
    if package:
        if not is_package(package):
            raise Unsuitable(
                _("{name} is no package", name=package), "", _("Write it as in com.example.shop")
            )
        values[PACKAGE] = package
    return values


def as_shown(anomaly: Anomaly, values: Mapping[str, str]) -> Anomaly:
    """A dialog as the phone shows it: ``values`` replace its own texts, events and log tag."""
    known = ACTIVITIES.get(anomaly.activity)
    buttons = {button.answer: button for button in known.buttons} if known is not None else {}
    answers = tuple(
        replace(
            answer,
            button=values.get(buttons[answer.name].text, answer.button),
            event=values.get(buttons[answer.name].event, answer.event),
        )
        for answer in anomaly.answers
        if answer.name in buttons
    )
    parameters = tuple(
        replace(parameter, value=values.get(parameter.name, parameter.value))
        for parameter in anomaly.parameters
    )
    return replace(anomaly, answers=answers, parameters=parameters)


def _read(parameter: AnomalyParameter, value: object) -> str:
    """A value of ``parameter`` as a command carries it."""
    text = _written(value).strip() if parameter.type != TEXT else _written(value)
    if parameter.type == TEXT:
        return text
    if parameter.type == FLAG:
        if text.lower() not in _FLAG_WORDS:
            raise _wrong(parameter, text, _("yes or no"))
        return _written(_FLAG_WORDS[text.lower()])
    try:
        number = float(int(text) if parameter.type == INTEGER else text)
    except (ValueError, OverflowError):
        number = math.nan
    if not math.isfinite(number) or not text.isascii() or "_" in text:
        whole = parameter.type == INTEGER
        raise _wrong(parameter, text, _("a whole number") if whole else _("a number")) from None
    if (parameter.lowest is not None and number < parameter.lowest) or (
        parameter.highest is not None and number > parameter.highest
    ):
        low, high = (
            _written(edge) if edge is not None else "" for edge in (parameter.lowest, parameter.highest)
        )
        raise _wrong(parameter, text, f"{low}...{high}")
    return text


def _wrong(parameter: AnomalyParameter, text: str, expected: str) -> Unsuitable:
    return Unsuitable(
        _("{name} cannot be {value}", name=parameter.name, value=text or "''"),
        "",
        _("Give it {expected}", expected=expected),
    )


def _written(value: object) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    return str(int(value)) if isinstance(value, float) and value.is_integer() else str(value)
