"""Options of agents, judges and formats: what their kind declares, and the check of what a person gives."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

from collector.located_yaml.nearest_word import nearest
from collector.model.errors import UserError
from collector.model.i18n import N_, _

_TYPE_NAMES: Mapping[type, str] = {
    str: N_("a text"),
    int: N_("a whole number"),
    float: N_("a number"),
    bool: N_("true or false"),
    list: N_("a list"),
    dict: N_("a mapping"),
}


@dataclass(frozen=True, slots=True)
class PluginOption:
    """An option of a kind, as an experiment or the command line writes it."""

    name: str
    type: type = str
    """str, int, float, bool, list or dict."""
    default: Any = None
    description: str = ""
    choices: tuple[str, ...] = ()
    required: bool = False
    least: float | None = None
    """The smallest number; None where any is one."""
    title: str = ""
    """What a form calls it; empty for its name."""
    other_names: tuple[str, ...] = ()
    """What other programs call it: whoever writes one of these is told its name here."""
    choice_titles: tuple[str, ...] = ()
    """What a form calls each of the choices, in their order; empty for the choices as they are."""

    @property
    def shown_title(self) -> str:
        """What it is called, for a person."""
        return _(self.title) if self.title else self.name

    def title_of(self, choice: str) -> str:
        """What one of its choices is called, for a person."""
        titles = dict(zip(self.choices, self.choice_titles, strict=True)) if self.choice_titles else {}
        return _(titles[choice]) if choice in titles else choice

    def as_dict(self) -> dict[str, Any]:
        """As ``--json`` prints it."""
        return {
            "name": self.name,
            "title": self.shown_title,
            "type": self.type.__name__,
            "default": self.default,
            "choices": list(self.choices),
            "required": self.required,
            "description": _(self.description),
        }


class KindWithOptions(Protocol):
    """A kind of agent or judge."""

    @property
    def id(self) -> str: ...

    @property
    def options(self) -> Sequence[PluginOption]: ...


@dataclass(frozen=True, slots=True)
class OptionProblem:
    """What is wrong with a given option."""

    option: str
    """Its name as it was written; of a required option that is missing, its declared name."""
    problem: str
    """One sentence without its full stop."""
    to_do: str = ""
    is_missing: bool = False


def option_problems(kind: KindWithOptions, options: Mapping[str, Any]) -> Iterator[OptionProblem]:
    """Yield what is wrong with ``options``, in their order, then the required ones that are missing."""
    declared = {option.name: option for option in kind.options}
    for name, value in options.items():
        option = declared.get(name)
        if option is None:
            known = ", ".join(declared) or _("it has none")
            yield OptionProblem(
                str(name),  # a number or nothing, where a file says so
                _("{kind} has no option {name}", kind=kind.id, name=name),
                _written(meant_option(str(name), kind.options)) or _("Options: {known}", known=known),
            )
        elif not _fits(option, value):
            yield OptionProblem(name, _expected(option, value))
        elif option.least is not None and isinstance(value, (int, float)) and not value >= option.least:
            yield OptionProblem(name, _("{name} is at least {least}", name=name, least=option.least))
        elif option.choices and (wrong := _not_offered(option, value)):
            yield OptionProblem(
                name,
                _("{value} is no choice of {name}", value=repr(wrong[0]), name=name),
                _nearest(str(wrong[0]), option.choices)
                or _("Use one of: {known}", known=", ".join(option.choices)),
            )
    for option in kind.options:
        if option.required and options.get(option.name) is None:
            problem = _("{kind} needs the option {name}", kind=kind.id, name=option.name)
            yield OptionProblem(option.name, problem, option.description, is_missing=True)


def meant_option(name: str, options: Sequence[PluginOption]) -> str:
    """The option that an unknown name means: one that others call so, else the most similar; else empty."""
    called_so = (option.name for option in options if name.lower() in option.other_names)
    return next(called_so, "") or nearest(name, [option.name for option in options])


def with_defaults(kind: KindWithOptions, options: Mapping[str, Any]) -> dict[str, Any]:
    """The options of the kind in order: what is given, otherwise the defaults."""
    given = {name: value for name, value in options.items() if value is not None}
    return {option.name: given.get(option.name, option.default) for option in kind.options}


def complete_options(kind: KindWithOptions, options: Mapping[str, Any], what: str) -> dict[str, Any]:
    """The options with their defaults. Raises UserError, which says ``what``, for the first wrong one."""
    for problem in option_problems(kind, options):
        raise UserError(what, problem.problem, problem.to_do)
    return with_defaults(kind, options)


def type_name(option: PluginOption) -> str:
    """What values of the option are, for a person."""
    return _(_TYPE_NAMES.get(option.type, option.type.__name__))


def _fits(option: PluginOption, value: Any) -> bool:
    """Whether a value has the declared type; None stands for the default."""
    if value is None:
        return True
    if option.type is float:
        return isinstance(value, (int, float)) and not isinstance(value, bool)
    if option.type is int:
        return isinstance(value, int) and not isinstance(value, bool)
    if option.type is list:
        return isinstance(value, (list, tuple))
    if option.type is dict:
        return isinstance(value, Mapping)
    return isinstance(value, option.type)


def _expected(option: PluginOption, value: Any) -> str:
    shown = repr(value)
    shown = shown if len(shown) <= 60 else shown[:59] + "…"
    return _("{name} is {type}, not {value}", name=option.name, type=type_name(option), value=shown)


def _not_offered(option: PluginOption, value: Any) -> list[Any]:
    """The values that are no choices; each entry of a list is one."""
    if value is None:
        return []
    values = list(value) if isinstance(value, (list, tuple)) else [value]
    return [entry for entry in values if entry not in option.choices]


def _nearest(word: str, known: Collection[str]) -> str:
    """What to write instead of a wrong word; empty when none is similar."""
    return _written(nearest(word, known))


def _written(word: str) -> str:
    return _("Write {word}", word=word) if word else ""
