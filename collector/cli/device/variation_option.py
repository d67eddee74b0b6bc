"""``--variation``: what a virtual phone is started or reset with."""

from __future__ import annotations

from pathlib import Path

from collector.cli.project_variations import variations_in
from collector.model.variation.phone_variation import PhoneVariation


def read_variation_option(text: str, folder: Path = Path()) -> PhoneVariation:
    """The variation of a name or a combination, or one as JSON, which programs write.

    The variations of a project in ``folder`` count too. Raises UserError; ValueError for JSON that is none.
    """
    if text.startswith("{"):
        return PhoneVariation.parse(text)
    return variations_in(folder).resolve(text)
