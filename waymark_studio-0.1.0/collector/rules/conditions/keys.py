"""Keys and values that several condition types have."""

from __future__ import annotations

from collector.model.i18n import N_
from collector.rules.grammar.condition_registry import key
from collector.rules.grammar.specs import ATTRIBUTE, SELECTOR

SELECTOR_KEY = key(SELECTOR, N_("Which node: attr='value', several attributes, relations or XPath"))
ATTRIBUTE_KEY = key(ATTRIBUTE, N_("Name of the attribute, as the UI dump writes it"))
ANY_ID = "resource-id='com.example:id/name'"
"""A selector to begin with."""
