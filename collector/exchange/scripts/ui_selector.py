"""Locators in the words of Android's ``UiSelector``, which uiautomator2 and Appium share."""

from __future__ import annotations

from collector.exchange.scripts.locators import Locator

_WORDS = {
    ("text", "="): "text", ("text", "*="): "textContains", ("text", "^="): "textStartsWith",
    ("content-desc", "="): "description", ("content-desc", "*="): "descriptionContains",
    ("content-desc", "^="): "descriptionStartsWith", ("resource-id", "="): "resourceId",
    ("class", "="): "className", ("package", "="): "packageName",
}  # fmt: skip
_FLAGS = {
    name: name for name in ("checkable", "checked", "clickable", "enabled", "focusable", "focused",
                            "scrollable", "selected")
} | {"long-clickable": "longClickable"}  # fmt: skip


def ui_selector(locator: Locator) -> dict[str, str | bool | int]:
    """Names of the tests with their values; ``instance`` counts from 0. Empty when it takes XPath."""
    words: dict[str, str | bool | int] = {}
    for term in locator.terms:
        word = _WORDS.get((term.attribute, term.operator), "")
        flag = _FLAGS.get(term.attribute, "")
        if word and word not in words:
            words[word] = term.value
        elif flag and term.operator == "=" and term.value in ("true", "false"):
            words[flag] = term.value == "true"
        else:
            return {}
    if words and locator.position is not None:
        words["instance"] = locator.position - 1
    return words
