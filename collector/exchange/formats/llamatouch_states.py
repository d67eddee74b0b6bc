"""LlamaTouch's annotations of screens, ``<i>.ess``, as essential states.

Each annotated screen is a state that comes after the one before it; all its keywords must hold. What was done
on the screen (``click``, ``type``) is a state of its own behind it, because it is seen on the screen after.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from collector.exchange.errors import ExchangeError
from collector.exchange.exchange_log import NOTE, ExchangeLog
from collector.exchange.formats.llamatouch_apps import package_of
from collector.exchange.source import files as source_files
from collector.exchange.source.states import SourceStates, state_with
from collector.hierarchy.selectors import quote
from collector.model.essential_state import EssentialState
from collector.model.i18n import _

ESS = r"(\d+)\.ess"
SIMILAR_SCREEN = 0.85
"""Share of the words of an annotated screen that makes another one like it: LlamaTouch's of sentences."""
_ENTRY = re.compile(r"(\w+)<(.*?)>(?=\s*(?:\||$))", re.DOTALL)
_SAME = {
    "fuzzy_match": "fuzzy", "fuzzyscreen": "fuzzy", "textbox": "exact", "install": "check_install",
    "uninstall": "check_uninstall",
}  # fmt: skip
"""Words of UICheckpoint and of older files -> those of the Evaluator."""
_NAMES = ("class", "text", "resource-id", "content-desc")
FLAGS = ("enabled", "checked", "checkable", "selected", "focused", "focusable", "clickable",
          "long-clickable", "password", "scrollable")  # fmt: skip
_NOTHING = ("", " ", "null", None)
_Condition = dict[str, Any]


def read_states(folder: Path, log: ExchangeLog) -> SourceStates:
    """The states of the annotated screens of a trace, in their order."""
    states: list[EssentialState] = []
    for number, path in sorted(source_files.numbered(folder, ESS).items()):
        log.use(path)
        screen = _Screen(folder, number, log)
        for kind, part in (("", screen.seen), ("-action", screen.done)):
            if part.conditions or (not kind and not screen.done.conditions):
                after = [states[-1].id] if states else []
                name = f"screen {number}{kind}"
                sentence = "; ".join(part.sentences) or _("Screen {number} of the trace", number=number)
                states.append(state_with(name, part.conditions, sentence=sentence, after=after))
    return SourceStates(tuple(states), tuple(state.id for state in states))


@dataclass(slots=True)
class _Part:
    """Conditions with what each says to people."""

    conditions: list[_Condition] = field(default_factory=list)
    sentences: list[str] = field(default_factory=list)

    def add(self, condition: _Condition, sentence: str) -> None:
        self.conditions.append(condition)
        self.sentences.append(sentence)


class _Screen:
    """The keywords of one annotated screen as conditions: ``seen`` on it, and ``done`` on it."""

    def __init__(self, folder: Path, number: int, log: ExchangeLog) -> None:
        self._folder, self._number, self._log = folder, number, log
        self._nodes = self._read_nodes()
        self.seen, self.done = _Part(), _Part()
        text = source_files.read_text(folder / f"{number}.ess").strip()
        entries = [(match[1].lower(), match[2].strip()) for match in _ENTRY.finditer(text)]
        if text and not entries:
            self._lost(_("it is not written as keyword<content>"), text)
        for keyword, content in entries:
            self._add(_SAME.get(keyword, keyword), content)

    def _read_nodes(self) -> list[dict[str, Any]]:
        path = self._folder / f"{self._number}.json"
        if not path.is_file():
            return []
        try:
            nodes = source_files.read_json(path)
        except ExchangeError:
            return []
        self._log.use(path)
        return [node if isinstance(node, dict) else {} for node in nodes] if isinstance(nodes, list) else []

    def _add(self, keyword: str, content: str) -> None:
        match keyword:
            case "exact":
                self._see(self._element(content, flags=True), "element_exists", keyword, content)
                self._log.add("letters-differ", _("Letters' case counts in texts, and not in LlamaTouch"),
                              severity=NOTE)  # fmt: skip
            case "exclude":
                self._see(self._element(content, flags=False), "element_not_exists", keyword, content)
                self._log.add("exclude-counts", _("exclude is evaluated here, and never by LlamaTouch"),
                              severity=NOTE)  # fmt: skip
            case "fuzzy":
                self._fuzzy(content)
            case "activity":
                self._activity()
            case "click":
                selector = self._element(content, flags=False)
                if selector:
                    said = _("{name} is tapped", name=self._name(content))
                    self.done.add({"type": "action_was", "action": "tap", "selector": selector}, said)
                else:
                    self._lost(_("its node is not known"), f"click<{content}>")
            case "type":
                typed = {"type": "action_was", "action": "type", "text": content, "exact": True}
                self.done.add(typed, _("{name} is typed", name=f"'{content}'"))
            case "check_install" | "check_uninstall":
                self._installed(keyword, content)
            case _:
                self._lost(_("the keyword is not known"), f"{keyword}<{content}>")

    def _see(self, selector: str, kind: str, keyword: str, content: str) -> None:
        if selector:
            name = self._name(content)
            is_there = kind == "element_exists"
            said = _("{name} is shown", name=name) if is_there else _("{name} is not shown", name=name)
            self.seen.add({"type": kind, "selector": selector}, said)
        else:
            self._lost(_("its node has no words and no id, or is not known"), f"{keyword}<{content}>")

    def _installed(self, keyword: str, content: str) -> None:
        package = package_of(content)
        if not package:
            self._lost(_("the package of this app is not known"), f"{keyword}<{content}>")
            return
        condition: _Condition = {"type": "app_is_installed", "value": package}
        if keyword == "check_install":
            self.seen.add(condition, _("{name} is installed", name=content))
        else:
            self.seen.add({"not": [condition]}, _("{name} is not installed", name=content))

    def _fuzzy(self, content: str) -> None:
        if content == "-2":  # stands beside the check of an installed app, and says nothing
            return
        if content in ("-1", ""):
            words = _without_parts(list(dict.fromkeys(self._words())))
            if not words:
                self._lost(_("the words of the screen are not known"), f"fuzzy<{content}>")
                return
            self.seen.add(
                {"type": "semantic_element_exists", "keywords": words, "match_threshold": SIMILAR_SCREEN},
                _("A screen like screen {number} is shown", number=self._number),
            )
            said = _("Whole screens are compared by their words, and not by a model")
            self._log.add("screen-by-words", said, severity=NOTE)
            return
        text = (self._node(content) or {}).get("text")
        selector = f"text={quote(text)}" if isinstance(text, str) and text not in _NOTHING else ""
        self._see(selector or self._path(content), "element_exists", "fuzzy", content)

    def _words(self) -> Iterator[str]:
        for node in self._nodes:
            for name in ("text", "content-desc"):
                value = node.get(name)
                if isinstance(value, str) and value.strip() and value not in _NOTHING:
                    yield value

    def _activity(self) -> None:
        path = self._folder / f"{self._number}.activity"
        name = source_files.read_text(path).strip() if path.is_file() else ""
        if name in _NOTHING:
            self._log.add("activity-unknown", _("An activity is not known, so every one passes"),
                          step=self._number, severity=NOTE)  # fmt: skip
            return
        self.seen.add({"type": "current_activity_is", "value": name}, _("{name} is in front", name=name))

    def _node(self, content: str) -> dict[str, Any] | None:
        at = int(content) if content.isascii() and content.isdigit() else -1
        return self._nodes[at] if 0 <= at < len(self._nodes) else None

    def _name(self, content: str) -> str:
        """What a person calls a node: its words, else its id."""
        node = self._node(content) or {}
        values = [node.get(name) for name in ("text", "content-desc", "resource-id")]
        value = next((str(value) for value in values if value not in _NOTHING), content)
        return f"'{value}'"

    @staticmethod
    def _path(content: str) -> str:
        return content if content.startswith("/") else ""

    def _element(self, content: str, *, flags: bool) -> str:
        """The selector of a node, by its number or as XPath; empty when nothing tells it from others."""
        node = self._node(content)
        if node is None:
            return self._path(content)
        values = {name: node.get(name) for name in _NAMES}
        if all(values[name] in _NOTHING for name in _NAMES[1:]):
            return ""
        terms = [f"{name}={quote(str(value))}" for name, value in values.items() if value not in _NOTHING]
        if flags:
            if values["text"] in _NOTHING and values["content-desc"] in _NOTHING:
                self._log.add("picture-not-compared",
                              _("LlamaTouch compares the picture of this node; here its id decides"),
                              step=self._number)  # fmt: skip
            known = [(name, node.get(name)) for name in FLAGS]
            terms += [f"{name}='{str(on).lower()}'" for name, on in known if isinstance(on, bool)]
        return " ".join(terms)

    def _lost(self, why: str, what: str) -> None:
        self._log.add(
            "state-lost", _("{what} became no condition: {why}", what=what, why=why), step=self._number
        )


def _without_parts(words: list[str]) -> list[str]:
    """The words without those that are part of another: they would be seen with it."""
    lowered = [word.lower() for word in words]
    return [
        word
        for word in words
        if not any(word.lower() in other and word.lower() != other for other in lowered)
    ]
