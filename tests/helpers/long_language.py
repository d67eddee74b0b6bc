"""A pseudo-language for tests: every message of the window about a third longer than in English."""

from __future__ import annotations

import math
import re
from pathlib import Path

from babel.messages.catalog import Catalog
from babel.messages.mofile import write_mo
from babel.messages.pofile import read_po

from collector.model.resources import asset

LANGUAGE = "de_LONG"
GROWTH = 0.35
_FIELD = re.compile(r"\{[^}]*\}")
_WORDS = " und noch ein paar Silben mehr"


def lengthened(message: str) -> str:
    """The message with a third more letters behind it, as words where there is room for a word."""
    more = math.ceil(GROWTH * len(_FIELD.sub("", message).strip()))
    letters = (_WORDS * (more // len(_WORDS) + 1))[:more]
    return message + (letters if more > 4 else letters.replace(" ", "n"))


def write_long_language(folder: Path) -> Path:
    """Write the catalogue of :data:`LANGUAGE` into a folder of translations; return the folder."""
    source = asset("translations") / "zh_CN" / "LC_MESSAGES" / "waymark.po"
    with source.open("rb") as file:
        known = read_po(file)
    catalogue = Catalog(locale="de")
    for message in known:
        if isinstance(message.id, str):
            if message.id:
                catalogue.add(message.id, lengthened(message.id))
        else:
            catalogue.add(message.id, tuple(map(lengthened, message.id)))
    target = folder / LANGUAGE / "LC_MESSAGES"
    target.mkdir(parents=True)
    with (target / "waymark.mo").open("wb") as file:
        write_mo(file, catalogue)
    return folder
