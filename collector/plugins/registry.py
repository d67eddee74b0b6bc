"""Kinds by id: those built in, and those that installed packages bring as entry points.

A plug-in that cannot be loaded is left out, with a sentence that says so; the other kinds stay.
"""

from __future__ import annotations

import contextlib
import functools
import importlib
import logging
from collections.abc import Callable, Container, Iterator, Mapping
from dataclasses import dataclass
from typing import Generic, Protocol, TypeVar

from collector.located_yaml.nearest_word import nearest
from collector.model.cancellation import Cancelled
from collector.model.errors import UserError
from collector.model.i18n import _
from collector.plugins.entry_points import load_plugins

_log = logging.getLogger(__name__)


class PluginKind(Protocol):
    """What a package can bring, found by its id."""

    @property
    def id(self) -> str: ...


KindT = TypeVar("KindT", bound=PluginKind)


@dataclass(frozen=True, slots=True)
class LoadedKinds(Generic[KindT]):
    """The kinds by id, the built-in ones first, and a sentence for each plug-in that was left out."""

    kinds: Mapping[str, KindT]
    problems: tuple[str, ...] = ()


def installed_kinds(
    group: str,
    kind_type: type[KindT],
    taken: Container[str],
    check: Callable[[KindT, str], None] = lambda _kind, _value: None,
) -> LoadedKinds[KindT]:
    """The kinds that the entry points of ``group`` name, in order of name; none with an id of ``taken``.

    ``check`` gets a kind and the value of its entry point, and raises UserError for one that cannot be used.
    """
    kinds: dict[str, KindT] = {}

    def use(loaded: object, value: str) -> None:
        if not isinstance(loaded, kind_type):
            raise UserError(_("{value} is no {type}", value=value, type=kind_type.__name__))
        check(loaded, value)
        if loaded.id in taken or loaded.id in kinds:
            raise UserError(_("there is a kind {kind} already", kind=loaded.id))
        kinds[loaded.id] = loaded

    broken = load_plugins(group, use).broken
    return LoadedKinds(kinds, tuple(plugin.problem for plugin in broken))


@contextlib.contextmanager
def plugin_errors(kind_id: str, what: str, error_type: type[UserError] = UserError) -> Iterator[None]:
    """Raise as ``error_type``, which says ``what``, all that the code of a package raises otherwise."""
    try:
        yield
    except (UserError, Cancelled):
        raise
    except Exception as error:
        _log.info("the kind %s failed", kind_id, exc_info=True)
        why = f"{type(error).__name__}: {error}"
        raise error_type(what, why, _("Tell the author of the kind {kind}", kind=kind_id)) from error


class KindRegistry(Generic[KindT]):
    """The kinds of one type. A built-in one is imported when it is asked for."""

    def __init__(
        self, group: str, kind_type: type[KindT], built_in: Mapping[str, str], unknown: str,
        check: Callable[[KindT, str], None],
    ) -> None:  # fmt: skip
        """``built_in`` maps the id of each built-in kind to the module with its ``KIND``.

        ``unknown`` is the text of the error for an unknown ``{kind}``; ``check`` as in
        :func:`installed_kinds`.
        """
        self.built_in = built_in
        self._unknown = unknown
        self.installed = functools.cache(lambda: installed_kinds(group, kind_type, built_in, check))
        """The kinds of installed packages; loaded once."""

    def all(self) -> LoadedKinds[KindT]:
        """Every kind, the built-in ones first."""
        installed = self.installed()
        built_in = {kind_id: self._load_built_in(kind_id) for kind_id in self.built_in}
        return LoadedKinds({**built_in, **installed.kinds}, installed.problems)

    def find(self, kind_id: str) -> KindT | None:
        """The kind of that id; None when there is none."""
        if kind_id in self.built_in:
            return self._load_built_in(kind_id)
        return self.installed().kinds.get(kind_id)

    def get(self, kind_id: str) -> KindT:
        """The kind of that id. Raises UserError, with the nearest id, when there is none."""
        kind = self.find(kind_id)
        if kind is None:
            loaded = self.all()
            near = nearest(kind_id, loaded.kinds)
            raise UserError(
                _(self._unknown, kind=kind_id),
                next((problem for problem in loaded.problems if kind_id and kind_id in problem), ""),
                _("Write {word}", word=near) if near else _("Kinds: {known}", known=", ".join(loaded.kinds)),
            )
        return kind

    def _load_built_in(self, kind_id: str) -> KindT:
        kind: KindT = importlib.import_module(self.built_in[kind_id]).KIND
        return kind
