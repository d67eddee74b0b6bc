"""OpenApps' app variations as variations of a project.

``openapps`` holds what the apps hold by default; ``openapps_NAME`` an appearance, or contents that extend it;
``openapps_pop_ups_NAME`` the pop-ups of the start page. One of them has all apps that have a file of its
name, and is used for one alone by ``openapps_NAME@APP``.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any

import yaml

from collector.exchange.exchange_log import NOTE, ExchangeLog
from collector.exchange.openapps import contents
from collector.exchange.openapps.appearance import appearance_of, pop_ups_of, start_page_content
from collector.exchange.openapps.composition import ConfigFolder, Interpolation, overlay, with_plus_keys
from collector.exchange.openapps.read_keys import ReadKeys
from collector.exchange.openapps.tasks import OpenAppsTasks
from collector.exchange.source.model import SourceVariation
from collector.model.errors import UserError
from collector.model.i18n import _
from collector.variations.keys import VERSION
from collector.variations.reader import read_variation

BASE, _POP_UPS, _DEFAULT = "openapps", "openapps_pop_ups", "default"
OUR_APP = {
    "todo": "todo", "calendar": "calendar", "messenger": "messenger", "maps": "maps", "code_editor": "code",
    "onlineshop": "shop", "start_page": "start_page",
}  # fmt: skip
"""OpenApps' folders -> the apps of the phone."""
_TILES = {
    "todo": "todo", "calendar": "calendar", "messages": "messenger", "maps": "maps", "codeeditor": "code",
    "onlineshop": "shop",
}  # fmt: skip
_NAME = re.compile(r"[A-Za-z0-9_]+")
_LARGEST = 1_000_000
"""Characters of a variation file, as a project reads it."""


def read_variations(
    config: ConfigFolder, tasks: OpenAppsTasks, log: ExchangeLog
) -> Iterator[SourceVariation]:
    """All variations, and the contents by default."""
    reader = _VariationReader(config, tasks, log)
    for name, document in reader.documents().items():
        log.where = f"{name}.yaml"
        text = yaml.safe_dump(document, allow_unicode=True, sort_keys=False, width=110)
        problem = "" if len(text) <= _LARGEST else _("it is larger than {size} MB", size=1)
        problem = problem or next((error.sentence for error in read_variation(text, name).errors), "")
        if problem:
            log.add("variation-left-out", _("A variation was left out: {why}", why=problem))
        else:
            yield SourceVariation(name, text)


class _VariationReader:
    def __init__(self, config: ConfigFolder, tasks: OpenAppsTasks, log: ExchangeLog) -> None:
        self._config, self._tasks, self._log = config, tasks, log
        self._base = self._default_tree()
        self._documents: dict[str, dict[str, Any]] = {}

    def documents(self) -> dict[str, dict[str, Any]]:
        """Variation files as plain data, by name."""
        for app in OUR_APP:
            for factor in ("content", "appearance"):
                for variant in self._config.names(f"apps/{app}/{factor}"):
                    self._add(app, factor, variant)
        for variant in self._config.names("apps/pop_ups"):
            self._add_pop_ups(variant)
        first = [name for name in self._documents if name == BASE]
        return {name: self._documents[name] for name in (*first, *sorted({*self._documents} - {BASE}))}

    def _default_tree(self) -> dict[str, Any]:
        """All apps as they are by default, and what is said of all."""
        tree: dict[str, Any] = {}
        for name in ("config", *(f"apps/{app}/{_DEFAULT}" for app in (*OUR_APP, "pop_ups"))):
            if self._config.has(name):
                self._log.where = f"{name}.yaml"
                try:
                    found = self._config.own_keys(name) if name == "config" else self._config.compose(name)
                    overlay(tree, {"apps": found.get("apps") or {}})
                except UserError as error:
                    self._log.add("file-left-out", _("A file was left out: {why}", why=error))
        return tree

    def _varied(self, name: str, app: str) -> tuple[dict[str, Any], dict[str, Any], dict[str, Any]] | None:
        """The keys of an app that a file sets, resolved; the same as they are by default; and as written.

        None, and a line in the report, for a file that cannot be read.
        """
        try:
            return self._composed(name, app)
        except UserError as error:
            self._log.add("file-left-out", _("A file was left out: {why}", why=error))
            return None

    def _composed(self, name: str, app: str) -> tuple[dict[str, Any], dict[str, Any], dict[str, Any]]:
        composed = self._config.compose(name)
        tree: dict[str, Any] = {}
        overlay(tree, self._base)
        overlay(tree, composed)
        own = _below(composed, app)
        varied, usual = with_plus_keys(tree), with_plus_keys(self._base)
        names = [key.removeprefix("+") for key in own]
        found = self._resolved(varied, app, names)
        base = {} if name.endswith(f"content/{_DEFAULT}") else self._resolved(usual, app, names)
        return found, base, own

    def _resolved(self, tree: Mapping[str, Any], app: str, names: list[str]) -> dict[str, Any]:
        references, values = Interpolation(tree), _below(tree, app)
        found = {name: references.resolved(values[name]) for name in names if name in values}
        references.report_unknown(self._log)
        return found

    def _add(self, app: str, factor: str, variant: str) -> None:
        name = f"apps/{app}/{factor}/{variant}"
        self._log.where = f"{name}.yaml"
        found = self._varied(name, app) if _NAME.fullmatch(variant) else None
        if found is None:
            return
        if factor == "appearance" and variant == _DEFAULT:
            what = _("The look of the phone stands for OpenApps' default")
            self._log.add("default-look", what, severity=NOTE)
            return
        keys = ReadKeys(*found)
        document = self._document(BASE if variant == _DEFAULT else f"{BASE}_{variant}")
        if factor == "content":
            if variant != _DEFAULT:
                document["extends"] = BASE
            document.setdefault("content", {})[OUR_APP[app]] = self._content(app, keys)
        elif look := appearance_of(app, keys):
            document.setdefault("appearance", {})[OUR_APP[app]] = look
        if app == "start_page" and factor == "appearance" and (content := start_page_content(keys)):
            document.setdefault("content", {})[OUR_APP[app]] = content
        self._report(keys.unread())

    def _content(self, app: str, keys: ReadKeys) -> dict[str, Any]:
        match app:
            case "messenger":
                return contents.messenger(keys, self._tasks.answers)
            case "maps":
                return contents.maps(keys, self._tasks.places)
            case "start_page":
                return contents.start_page(keys, _TILES)
        return contents.CONTENTS[app](keys)

    def _add_pop_ups(self, variant: str) -> None:
        name = f"apps/pop_ups/{variant}"
        self._log.where = f"{name}.yaml"
        varied = self._varied(name, "pop_ups") if _NAME.fullmatch(variant) else None
        if varied is None:
            return
        found, lost = pop_ups_of(varied[0])
        self._report(lost)
        if found:
            self._document(f"{_POP_UPS}_{variant}")["pop_ups"] = {"start_page": found}
        elif variant != _DEFAULT:
            self._log.add("no-pop-ups", _("The file has no pop-ups, as the phone has none"), severity=NOTE)

    def _document(self, name: str) -> dict[str, Any]:
        described = f"{BASE}: {name.removeprefix(BASE).removeprefix('_') or _DEFAULT}"
        return self._documents.setdefault(name, {"version": VERSION, "description": described})

    def _report(self, lost: Iterator[tuple[str, str]] | list[tuple[str, str]]) -> None:
        for path, value in lost:
            what = _("The phone has nothing for {key}: {value}", key=path, value=value)
            self._log.add("key-without-counterpart", what)


def _below(tree: Mapping[str, Any], app: str) -> dict[str, Any]:
    apps = tree.get("apps")
    found = apps.get(app) if isinstance(apps, Mapping) else None
    return dict(found) if isinstance(found, Mapping) else {}
