"""Parameters of a task: names in its texts, each with what its values are drawn from by a seed."""

from __future__ import annotations

import datetime as dt
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from collector.model.i18n import _

ONE_OF, WORDS, NUMBER, DATE, PHONE = "list", "words", "number", "date", "phone"
"""What values are drawn from: a list, words, a range of numbers or dates, what apps of a new phone hold."""
ISO = ".iso"
"""After the name of a date: the date as 2026-12-24, whatever its format."""
PARAMETERS = "parameters"
"""Key of a header's ``extra``: the values of a trajectory, by name."""
DEFAULT_FORMAT = "%Y-%m-%d"
MOST_WORDS = 20
_NAME = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")
_NAMED = re.compile(r"\{([A-Za-z_][A-Za-z0-9_]*(?:\.iso)?)\}")
_UNSAFE = re.compile(r"[\"'\\{}\n\r]")
"""What a selector or a line of a file cannot hold as it is."""
_MONTHS = (
    "January", "February", "March", "April", "May", "June", "July", "August", "September", "October",
    "November", "December",
)  # fmt: skip
_DAYS = ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday")
_SPELLED = re.compile(r"%[A-Za-z%]")


@dataclass(frozen=True, slots=True)
class Parameter:
    """A name and where its values come from; of the fields only those of its kind say anything."""

    name: str
    kind: str = ONE_OF
    """One of ONE_OF, WORDS, NUMBER, DATE and PHONE."""
    options: tuple[str, ...] = ()
    """Of ONE_OF."""
    count: int = 0
    """Of WORDS."""
    first: str = ""
    """Of NUMBER and DATE: the least one."""
    last: str = ""
    """Of NUMBER and DATE: the greatest one."""
    format: str = ""
    """Of DATE, as ``%d %B``; empty for 2026-12-24."""
    source: str = ""
    """Of PHONE: app, list and field, as ``contacts.contacts.name``."""

    @property
    def line(self) -> str:
        """The parameter on one line, as in ``title: Milk | Bread`` or ``day: 2026-12-01 to 2026-12-24``."""
        return f"{self.name}: {self._generator}"

    @property
    def _generator(self) -> str:
        match self.kind:
            case "words":
                return f"{self.count} words"
            case "number":
                return f"{self.first} to {self.last}"
            case "date":
                spelled = f" as {self.format}" if self.format else ""
                return f"{self.first} to {self.last}{spelled}"
            case "phone":
                return f"phone {self.source}"
        return " | ".join(self.options)


def fixed(values: Mapping[str, str]) -> tuple[Parameter, ...]:
    """Parameters that have these values, whatever the seed."""
    return tuple(Parameter(name, options=(value,)) for name, value in values.items())


def filled(text: str, values: Mapping[str, str]) -> str:
    """The text with values in the place of ``{name}``; other braces stay."""
    return _NAMED.sub(lambda match: values.get(match[1], match[0]), text) if "{" in text else text


def filled_in(value: Any, values: Mapping[str, str]) -> Any:
    """Plain data, mappings, lists and texts, with values in the place of ``{name}`` in all of its texts."""
    if isinstance(value, str):
        return filled(value, values)
    if isinstance(value, Mapping):
        return {filled_in(key, values): filled_in(item, values) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return type(value)(filled_in(item, values) for item in value)
    return value


def names_in(text: str) -> set[str]:
    """The names in braces that a text has, without ``.iso``."""
    return {name.removesuffix(ISO) for name in _NAMED.findall(text)}


def spelled_date(day: dt.date, written: str) -> str:
    """A date in a format: ``%Y %m %d %e %B %b %A %a``, in English whatever the computer speaks."""
    parts = {
        "%Y": f"{day.year:04d}", "%m": f"{day.month:02d}", "%d": f"{day.day:02d}", "%e": str(day.day),
        "%B": _MONTHS[day.month - 1], "%b": _MONTHS[day.month - 1][:3], "%A": _DAYS[day.weekday()],
        "%a": _DAYS[day.weekday()][:3], "%%": "%",
    }  # fmt: skip
    return _SPELLED.sub(lambda match: parts.get(match[0], match[0]), written or DEFAULT_FORMAT)


def problem_of_parameter(parameter: Parameter) -> str:
    """Why no value can be drawn, in a sentence; empty when one can."""
    if not _NAME.fullmatch(parameter.name):
        return _("{name} is no name: use letters, digits and _", name=parameter.name)
    match parameter.kind:
        case "list":
            return _problem_of_options(parameter.options)
        case "words":
            if not 1 <= parameter.count <= MOST_WORDS:
                return _("It can be 1 to {limit} words", limit=MOST_WORDS)
        case "number" | "date":
            return _problem_of_range(parameter)
        case "phone":
            if len(parameter.source.split(".")) != 3:
                return _(
                    "{source} is no app, list and field, as contacts.contacts.name", source=parameter.source
                )
    return ""


def _problem_of_options(options: Sequence[str]) -> str:
    if not options or not all(option.strip() for option in options):
        return _("A list has at least one value, and none is empty")
    unsafe = next((option for option in options if _UNSAFE.search(option)), None)
    if unsafe is not None:
        return _(
            "{value} has a quotation mark, a brace or a line break, which rules cannot hold", value=unsafe
        )
    return ""


def _problem_of_range(parameter: Parameter) -> str:
    try:
        first, last = (_of_kind(parameter.kind, end) for end in (parameter.first, parameter.last))
    except ValueError:
        ends = f"{parameter.first}, {parameter.last}"
        return _("{ends} are no two dates or whole numbers", ends=ends)
    if first > last:
        return _("{first} is after {last}", first=parameter.first, last=parameter.last)
    return ""


def _of_kind(kind: str, text: str) -> int:
    return int(text) if kind == NUMBER else dt.date.fromisoformat(text).toordinal()


def read_parameter_lines(lines: Iterable[str]) -> tuple[Parameter, ...]:
    """The parameters of lines as :attr:`Parameter.line`; empty ones say nothing. Raises ValueError."""
    found: dict[str, Parameter] = {}
    for line in filter(None, map(str.strip, lines)):
        name, colon, written = (part.strip() for part in line.partition(":"))
        if not colon or not written:
            raise ValueError(_("{line} is no parameter: write it as in title: Milk | Bread", line=line))
        parameter = _read_generator(name, written)
        if problem := problem_of_parameter(parameter):
            raise ValueError(f"{name}: {problem}")
        found[name] = parameter
    return tuple(found.values())


def _read_generator(name: str, written: str) -> Parameter:
    if match := re.fullmatch(r"(\d+) words?", written):
        return Parameter(name, WORDS, count=int(match[1]))
    if match := re.fullmatch(r"(-?\d+) to (-?\d+)", written):
        return Parameter(name, NUMBER, first=match[1], last=match[2])
    if match := re.fullmatch(r"(\d{4}-\d\d-\d\d) to (\d{4}-\d\d-\d\d)(?: as (.+))?", written):
        return Parameter(name, DATE, first=match[1], last=match[2], format=match[3] or "")
    if match := re.fullmatch(r"phone (\S+)", written):
        return Parameter(name, PHONE, source=match[1])
    return Parameter(name, options=tuple(part.strip() for part in written.split("|")))
