"""The name of a language as its speakers write it, for the choice of the window's language."""

from __future__ import annotations

from PySide6.QtCore import QLocale

from collector.model.i18n import SOURCE_LANGUAGE


def own_name(code: str) -> str:
    """``Deutsch`` for ``de``; the code itself of a language that Qt does not know."""
    if code == SOURCE_LANGUAGE:
        return "English"  # Qt says American English
    locale = QLocale(code)
    name = locale.nativeLanguageName() if locale.language() is not QLocale.Language.C else ""
    return name[:1].upper() + name[1:] if name else code
