"""Load what installed packages bring as entry points; one that fails is left out, and the others stay."""

from __future__ import annotations

import logging
from collections.abc import Callable
from dataclasses import dataclass
from importlib import metadata
from typing import Any, Generic, TypeVar

from collector.model.errors import UserError
from collector.model.i18n import _

_log = logging.getLogger(__name__)
T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class BrokenPlugin:
    """An entry point that was left out."""

    name: str
    why: str

    @property
    def problem(self) -> str:
        """One sentence for a person."""
        return _("The plug-in {name} was left out: {why}", name=self.name, why=self.why)


@dataclass(frozen=True, slots=True)
class LoadedPlugins(Generic[T]):
    """What the entry points of a group gave, in order of their names, and those that were left out."""

    values: tuple[T, ...] = ()
    broken: tuple[BrokenPlugin, ...] = ()


def load_plugins(group: str, use: Callable[[Any, str], T]) -> LoadedPlugins[T]:
    """Load every entry point of ``group``, in order of name.

    ``use`` gets what an entry point names and how it is written (``package.module:name``), and gives what is
    kept of it. Whatever it, or the package, raises leaves that one out; the message is the reason.
    """
    values, broken = [], []
    for entry in sorted(metadata.entry_points(group=group), key=lambda entry: (entry.name, entry.value)):
        try:
            values.append(use(entry.load(), entry.value))
        except Exception as error:  # noqa: BLE001 - a plug-in may raise anything as it is imported
            _log.warning("the plug-in %s was left out: %s", entry.value, _reason(error))
            _log.info("where the plug-in %s failed", entry.value, exc_info=True)
            broken.append(BrokenPlugin(entry.name, _reason(error)))
    return LoadedPlugins(tuple(values), tuple(broken))


def _reason(error: Exception) -> str:
    """The sentence of a UserError; of any other error its type too, for the author of the package."""
    if isinstance(error, UserError):
        return str(error)
    return f"{type(error).__name__}: {error}" if str(error) else type(error).__name__
