"""Check the orders of a variation: what each is obeyed by, and that its mark stands in the content."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any

from collector.located_yaml.yaml_node import YamlNode
from collector.model.i18n import _
from collector.variations import keys as k
from collector.variations.content_types import content_apps
from collector.variations.entry_reader import EntryReader

_MARK = re.compile(r"[A-Za-z0-9][A-Za-z0-9-]{3,}")
_WAYS = ("types", "taps", "says")


class OrderReader:
    """Reads the orders of one file."""

    def __init__(self, entries: EntryReader) -> None:
        self._entries, self._values = entries, entries.values

    def read(
        self, node: YamlNode | None, content: Mapping[str, Mapping[str, Any]], *, is_whole: bool
    ) -> tuple[Mapping[str, Any], ...]:
        """The orders of a file; ``content`` is the file's own, in which the marks stand when ``is_whole``."""
        found: dict[str, Mapping[str, Any]] = {}
        for item in self._values.items(node, _("The orders of a variation are a list")):
            before = len(self._values.diagnostics)
            if self._entries.is_mapping(item):
                self._check(item, content, is_whole=is_whole)
                name = self._values.text(item, "id")
                if name in found:
                    what = _("There are two orders called {word}", word=name)
                    self._values.report("wrong-shape", item.place, what)
                if len(self._values.diagnostics) == before and isinstance(item.plain, dict):
                    found[name] = dict(item.plain)
        return tuple(found.values())

    def _check(self, item: YamlNode, content: Mapping[str, Mapping[str, Any]], *, is_whole: bool) -> None:
        self._entries.check_entry(item, k.ORDER)
        if not any(self._values.text(item, way) for way in _WAYS):
            what = _("Nothing says what obeys this order")
            to_do = _("Write one of: {known}", known=", ".join(_WAYS))
            self._values.report("missing-field", item.place, what, to_do=to_do)
        app, mark = item.get("app"), item.get("mark")
        if app is not None and app.text not in content_apps():
            what = _("The phone has no app {word}", word=app.text)
            self._entries.report_word(what, app.text, content_apps(), app)
        elif mark is not None and not _MARK.fullmatch(mark.text):
            what = _("{text} is no mark", text=mark.text or mark.kind)
            to_do = _("Write at least four letters, digits and -")
            self._values.report("wrong-shape", mark.place, what, to_do=to_do)
        elif app is not None and mark is not None and is_whole:
            self._check_mark(mark, app.text, content.get(app.text, {}))

    def _check_mark(self, mark: YamlNode, app: str, content: Mapping[str, Any]) -> None:
        """A mark has to be in a text of the app, in each of its languages."""
        marked = [texts for texts in _texts_in(content) if any(mark.text in text for text in texts.values())]
        lacking = sorted({name for texts in marked for name, text in texts.items() if mark.text not in text})
        what = ""
        if not marked:
            what = _("The mark {mark} is in no text of the content of {app}", mark=mark.text, app=app)
        elif lacking:
            what = _("The mark {mark} is missing in the text in the language {language}", mark=mark.text,
                     language=lacking[0])  # fmt: skip
        if what:
            self._values.report("missing-field", mark.place, what)


def _texts_in(value: Any) -> Iterator[Mapping[str, str]]:
    """All texts of a content by language; a text without languages stands alone."""
    if isinstance(value, str):
        yield {"": value}
    elif isinstance(value, Mapping):
        if value and all(isinstance(text, str) for text in value.values()) and "en" in value:
            yield value
        else:
            for inner in value.values():
                yield from _texts_in(inner)
    elif isinstance(value, list):
        for inner in value:
            yield from _texts_in(inner)
