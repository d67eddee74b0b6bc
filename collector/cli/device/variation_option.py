"""``--variation``: what a virtual phone is started or reset with."""

from __future__ import annotations

from pathlib import Path

from collector.model.variation.phone_variation import PhoneVariation
from collector.store.files.layout import is_project
from collector.variations.registry import Variations

VARIATION_METAVAR = "NAME[@APP][+...]"
VARIATION_HELP = "Variation of appearance, content and pop-ups, as `waymark variations list` shows them."


def read_variation_option(text: str, folder: Path = Path()) -> PhoneVariation:
    """The variation of a name or a combination, or one as JSON, which programs write.

    The variations of a project in ``folder`` count too. Raises UserError; ValueError for JSON that is none.
    """
    if text.startswith("{"):
        return PhoneVariation.parse(text)
    return Variations(folder if is_project(folder) else None).resolve(text)
