"""Every text a person reads passes through here, so that it can be translated.

Qt-free: the core's sentences (errors, doctor, captions) are shown in the window
too. ``_`` translates now, ``N_`` only marks a text in a table for the catalogue.
Catalogues are gettext files under ``assets/translations``.
"""

from __future__ import annotations

import gettext
from pathlib import Path

SOURCE_LANGUAGE = "en"
_FULL_STOPS = {"zh": "。", "ja": "。"}
"""Between two sentences, by language; ``". "`` in all others."""
_catalogue: gettext.NullTranslations = gettext.NullTranslations()
_language = SOURCE_LANGUAGE


def use_language(language: str, folder: Path) -> bool:
    """Switch all later translations to ``language``; False when it has no catalogue."""
    global _catalogue, _language
    if language == SOURCE_LANGUAGE:
        _catalogue, _language = gettext.NullTranslations(), language
        return True
    try:
        _catalogue = gettext.translation("waymark", folder, languages=[language])
    except OSError:
        return False
    _language = language
    return True


def language() -> str:
    """Code of the language texts come out in, as in ``zh_CN``."""
    return _language


def _(message: str, **values: object) -> str:
    """Translate, then fill in ``{name}`` fields."""
    text = _catalogue.gettext(message) if message else ""
    return text.format(**values) if values else text


def ngettext(one: str, many: str, count: int, **values: object) -> str:
    """Translate by number; ``{count}`` is filled in too."""
    return _catalogue.ngettext(one, many, count).format(count=count, **values)


def join_sentences(*sentences: str) -> str:
    """One line of the sentences that are not empty, stopped between as the language in use does."""
    stop = _FULL_STOPS.get(_language.partition("_")[0], ". ")
    return stop.join(sentence for sentence in sentences if sentence)


def N_(message: str) -> str:  # noqa: N802 - the mark translators look for
    """Mark for the catalogue, translate later."""
    return message
