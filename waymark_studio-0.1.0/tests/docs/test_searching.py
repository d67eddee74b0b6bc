"""The guide to searching names every key."""

from __future__ import annotations

import re

from collector.store.catalogue.query import KEYS
from tests.helpers.scripts import ROOT


def test_the_guide_names_every_key_of_a_search() -> None:
    text = (ROOT / "docs/guide/searching.md").read_text("utf-8")
    assert set(KEYS) <= set(re.findall(r"`([\w-]+)`", text))
