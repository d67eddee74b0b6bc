"""Compose a configuration as Hydra does, of YAML files in folders, without running anything.

A file may begin with ``# @package a.b``, which says where its keys belong, and have a list ``defaults`` of
files that come before its own keys: a name beside it, or a mapping of a folder below it to a name. The last
value of a key counts, and mappings are merged. Then a key that begins with ``+`` is merged onto the key
without, as OpenApps' ``merge_plus_keys`` does, and ``${a.b}`` is replaced by the value of ``a.b``.

The files are a stranger's: nothing outside the folder is read, resolvers such as ``${oc.env:USER}`` stay
what they are, and whatever leads in a circle or grows beyond a limit is one sentence.
"""

from __future__ import annotations

import datetime as dt
import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from collector.exchange.errors import ExchangeError
from collector.exchange.exchange_log import ExchangeLog
from collector.exchange.source.files import is_file, read_start
from collector.located_yaml.safe_load import MAX_BYTES, safe_load
from collector.model.i18n import _

PLUS, SELF, DEFAULTS = "+", "_self_", "defaults"
_PACKAGE = re.compile(r"^\s*#\s*@package\s+([\w.]+)", re.MULTILINE)
_NAME = re.compile(r"[\w-]+(/[\w-]+)*")
_REFERENCE = re.compile(r"\$\{([^${}]*)\}")
_PATH = re.compile(r"[\w-]+(\.[\w-]+)*")
_MOST_FILES, _MOST_CHARACTERS, _DEEPEST = 500, 8_000_000, 25


class ConfigFolder:
    """The files of a configuration, each read once. ``used`` are the files that were read."""

    def __init__(self, root: Path) -> None:
        self.root = root
        self.used: dict[Path, tuple[str, dict[str, Any]]] = {}

    def names(self, group: str) -> list[str]:
        """The names of the files in a folder, in order."""
        folder = self.root / group
        found = folder.glob("*.yaml") if folder.is_dir() else ()
        return sorted(path.stem for path in found if path.is_file())

    def folders(self, group: str, inside: str) -> list[str]:
        """The names of the folders in a folder that have a folder ``inside``, in order."""
        return sorted(path.parent.name for path in self.root.glob(f"{group}/*/{inside}") if path.is_dir())

    def has(self, name: str) -> bool:
        """Whether there is a file of a name such as ``apps/todo/content/german``."""
        return bool(_NAME.fullmatch(name)) and is_file(self._path(name))

    def own_keys(self, name: str) -> dict[str, Any]:
        """The keys of one file alone, ``defaults`` among them. Raises UserError when it cannot be read."""
        return self._file(name)[1]

    def compose(self, name: str) -> dict[str, Any]:
        """The keys of a file after those of its defaults, each where its package says.

        Raises UserError for a file that is missing or cannot be read, and for one that includes itself.
        """
        tree: dict[str, Any] = {}
        self._compose_into(tree, name, ())
        return tree

    def _compose_into(self, tree: dict[str, Any], name: str, above: tuple[str, ...]) -> None:
        if name in above:
            raise _error(name, _("it includes itself: {path}", path=" > ".join((*above, name))))
        if len(above) > _DEEPEST:
            raise _error(name, _("its files include each other more than {limit} deep", limit=_DEEPEST))
        package, keys = self._file(name)
        own = {key: value for key, value in keys.items() if key != DEFAULTS}
        included = list(_included(name, keys.get(DEFAULTS)))
        for part in included if SELF in included else [*included, SELF]:
            if part == SELF:
                overlay(tree, _placed(package, own))
            else:
                self._compose_into(tree, part, (*above, name))

    def _file(self, name: str) -> tuple[str, dict[str, Any]]:
        path = self._path(name)
        if path not in self.used:
            if not self.has(name):
                raise _error(name, _("there is no such file"))
            if len(self.used) >= _MOST_FILES:
                raise _error(name, _("it would be one of over {limit} files", limit=_MOST_FILES))
            self.used[path] = self._read(path, name)
        return self.used[path]

    def _read(self, path: Path, name: str) -> tuple[str, dict[str, Any]]:
        data = read_start(path, MAX_BYTES + 1)
        keys = safe_load(data, f"{name}.yaml")
        if keys is None:
            keys = {}
        if not isinstance(keys, dict):
            raise _error(name, _("it is no mapping"))
        head = _PACKAGE.search(data[:2000].decode("utf-8", "replace"))
        package = head[1] if head else name.rpartition("/")[0].replace("/", ".")
        return "" if package == "_global_" else package, _copied(keys)

    def _path(self, name: str) -> Path:
        return self.root / f"{name}.yaml"


def _error(name: str, why: str) -> ExchangeError:
    return ExchangeError(_("{name} cannot be read", name=f"{name}.yaml"), why)


def _included(name: str, defaults: object) -> Iterator[str]:
    """The names of a ``defaults`` list, from the root; those that no file has are passed over."""
    folder = name.rpartition("/")[0]
    for item in defaults if isinstance(defaults, list) else ():
        if isinstance(item, str):
            yield SELF if item == SELF else _joined(folder, item)
        elif isinstance(item, Mapping) and len(item) == 1:
            ((group, chosen),) = item.items()
            if isinstance(chosen, str):
                yield _joined(folder, f"{str(group).rpartition(' ')[2]}/{chosen}")


def _joined(folder: str, name: str) -> str:
    absolute = name.startswith("/") or not folder
    return name.strip("/") if absolute else f"{folder}/{name}"


def _placed(package: str, keys: dict[str, Any]) -> dict[str, Any]:
    for name in reversed(package.split(".") if package else []):
        keys = {name: keys}
    return keys


def overlay(tree: dict[str, Any], more: Mapping[str, Any]) -> None:
    """Put keys over those of a tree; mappings are merged, everything else is replaced."""
    for key, value in more.items():
        there = tree.get(key)
        if isinstance(there, dict) and isinstance(value, Mapping):
            overlay(there, value)
        else:
            tree[str(key)] = _copied(value)


def _copied(value: Any) -> Any:
    """A copy whose keys are texts; a date is its text, as OmegaConf reads one."""
    if isinstance(value, Mapping):
        return {str(key): _copied(item) for key, item in value.items()}
    if isinstance(value, dt.date):
        return value.isoformat()
    return [_copied(item) for item in value] if isinstance(value, list) else value


def with_plus_keys(tree: Mapping[str, Any]) -> dict[str, Any]:
    """A tree whose keys with ``+`` are merged onto those without; one that has none there stays."""
    merged = {
        key: with_plus_keys(value) if isinstance(value, Mapping) else value for key, value in tree.items()
    }
    for key in [key for key in merged if key.startswith(PLUS)]:
        base, more = merged.get(key[1:]), merged[key]
        if isinstance(base, list) and isinstance(more, list):
            merged[key[1:]] = [*base, *more]
        elif isinstance(base, dict) and isinstance(more, dict):
            merged[key[1:]] = {**base, **{name: _joined_value(base.get(name), value)
                                         for name, value in more.items()}}  # fmt: skip
        else:
            continue
        del merged[key]
    return merged


def _joined_value(base: Any, more: Any) -> Any:
    return [*base, *more] if isinstance(base, list) and isinstance(more, list) else more


class Interpolation:
    """Replaces ``${a.b}`` in the values of a tree. ``unknown`` are the references that lead nowhere."""

    def __init__(self, tree: Mapping[str, Any]) -> None:
        self._tree = tree
        self._left = _MOST_CHARACTERS
        self.unknown: dict[str, None] = {}

    def resolved(self, value: Any, above: tuple[str, ...] = ()) -> Any:
        """A value without references. Raises ExchangeError for a circle, and for endless growth."""
        if isinstance(value, Mapping):
            return {key: self.resolved(item, above) for key, item in value.items()}
        if isinstance(value, list):
            return [self.resolved(item, above) for item in value]
        return self._text(value, above) if isinstance(value, str) and "${" in value else value

    def report_unknown(self, log: ExchangeLog, step: str | None = None) -> None:
        """Name the references that led nowhere since this was asked last."""
        for reference in self.unknown:
            what = _("The reference {name} leads nowhere and was kept as a text", name=reference)
            log.add("reference-kept", what, step=step)
        self.unknown.clear()

    def _text(self, text: str, above: tuple[str, ...]) -> Any:
        whole = _REFERENCE.fullmatch(text)
        if whole:
            return self._value(whole[1].strip(), text, above)
        parts = _REFERENCE.sub(lambda found: _plain(self._value(found[1].strip(), found[0], above)), text)
        self._spend(len(parts))
        return parts

    def _value(self, path: str, reference: str, above: tuple[str, ...]) -> Any:
        if path in above or len(above) > _DEEPEST:
            circle = " > ".join((*above, path))
            raise ExchangeError(_("The reference {name} leads in a circle", name=reference), circle)
        value = self._found(path) if _PATH.fullmatch(path) else None
        if value is None:
            if not _PATH.fullmatch(path) or not self._is_there(path):
                self.unknown[reference] = None
                return reference
            return None
        resolved = self.resolved(value, (*above, path))
        self._spend(len(resolved) if isinstance(resolved, str) else 1000)
        return resolved

    def _spend(self, characters: int) -> None:
        self._left -= characters
        if self._left < 0:
            raise ExchangeError(_("The references of this configuration would grow beyond any use"))

    def _found(self, path: str) -> Any:
        value: Any = self._tree
        for name in path.split("."):
            value = value.get(name) if isinstance(value, Mapping) else None
        return value

    def _is_there(self, path: str) -> bool:
        folder, _dot, name = path.rpartition(".")
        around = self._found(folder) if folder else self._tree
        return isinstance(around, Mapping) and name in around


def _plain(value: Any) -> str:
    return "" if value is None else str(value)
