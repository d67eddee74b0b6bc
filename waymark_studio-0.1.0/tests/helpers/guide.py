"""Quote README and guide in the journeys that do what they say."""

from __future__ import annotations

import re

from tests.helpers.scripts import ROOT


def quote(page: str, sentence: str) -> None:
    """Fail when a page no longer says what a journey shows."""
    text = re.sub(r"\s+", " ", (ROOT / page).read_text(encoding="utf-8"))
    assert sentence in text, f"{page} does not say: {sentence}"
