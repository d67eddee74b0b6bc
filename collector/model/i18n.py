"""Translate every text a person reads.

Qt-free, because the window also shows sentences of the core (errors, doctor, captions). ``_`` translates
now, ``N_`` only marks a text in a table for the catalogue. Catalogues are gettext files in
``assets/translations``.
"""

from __future__ import annotations

import gettext
from collections.abc import Mapping, Sequence
from pathlib import Path

from collector.model.pseudo_language import ACCENTED, MIRRORED, PseudoCatalogue

SOURCE_LANGUAGE = "en"
_DOMAIN = "waymark"
_FULL_STOPS = {"zh": "。", "ja": "。"}
"""Separator of sentences, by language; ``". "`` in all others."""
_catalogue: gettext.NullTranslations = gettext.NullTranslations()
_language = SOURCE_LANGUAGE


def languages(folder: Path) -> tuple[str, ...]:
    """Codes of English and of the languages with a catalogue in ``folder``, as in ``zh_CN``."""
    found = sorted(path.parts[-3] for path in folder.glob(f"*/LC_MESSAGES/{_DOMAIN}.mo"))
    return (SOURCE_LANGUAGE, *found)


def use_language(language: str, folder: Path) -> bool:
    """Switch all later translations to ``language``; False when it has no catalogue.

    What a catalogue lacks stays in English. The languages of ``pseudo_language`` need none.
    """
    global _catalogue, _language
    try:
        if language == SOURCE_LANGUAGE:
            _catalogue = gettext.NullTranslations()
        elif language in (ACCENTED, MIRRORED):
            _catalogue = PseudoCatalogue(mirrored=language == MIRRORED)
        else:
            _catalogue = gettext.translation(_DOMAIN, folder, languages=[language])
    except OSError:
        return False
    _language = language
    return True


def language() -> str:
    """Return the code of the language in use, as in ``zh_CN``."""
    return _language


def _(message: str, **values: object) -> str:
    """Translate, then fill in ``{name}`` fields."""
    return translate(message, values)


def translate(message: str, values: Mapping[str, object]) -> str:
    """Translate, then fill in the fields with ``values``."""
    text = _catalogue.gettext(message) if message else ""
    return text.format(**values) if values else text


def is_translated(message: str, *, plural: bool = False) -> bool:
    """Whether the language in use has this message."""
    if _language == SOURCE_LANGUAGE:
        return True
    text = _catalogue.ngettext(message, "", 1) if plural else _catalogue.gettext(message)
    return bool(text) and text != message


def ngettext(singular: str, plural: str, count: int, **values: object) -> str:
    """Translate with singular and plural, then fill in ``{count}`` and other fields."""
    return _catalogue.ngettext(singular, plural, count).format(count=count, **values)


def join_sentences(*sentences: str) -> str:
    """Join the sentences that are not empty with the separator of the language in use."""
    stop = _FULL_STOPS.get(_language.partition("_")[0], ". ")
    return stop.join(sentence for sentence in sentences if sentence)


def in_words(words: Sequence[str]) -> str:
    """Words as a sentence lists them, as in "agent, model and seed"."""
    if len(words) < 2:
        return "".join(words)
    return _("{first} and {last}", first=_(", ").join(words[:-1]), last=words[-1])


def paragraph(*sentences: str) -> str:
    """Join sentences that end with a full stop; those that are empty are left out.

    Chinese and Japanese have no space between them.
    """
    space = "" if _language.partition("_")[0] in _FULL_STOPS else " "
    return space.join(sentence for sentence in sentences if sentence)


def N_(message: str) -> str:  # noqa: N802 - gettext's usual name
    """Mark for the catalogue, translate later."""
    return message
