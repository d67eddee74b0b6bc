"""The language of the window: our own texts, those of Qt, and numbers and dates."""

from __future__ import annotations

import logging

from PySide6.QtCore import QLibraryInfo, QLocale, QTranslator
from PySide6.QtWidgets import QApplication

from collector.model import i18n as words
from collector.model.resources import asset

_log = logging.getLogger(__name__)
_TRANSLATOR = "qt-texts"


def use_language(app: QApplication, language: str) -> None:
    """Use ``language`` for all texts read from now on; texts that a widget already shows stay as they are."""
    if not words.use_language(language, asset("translations")):
        _log.warning("there is no catalogue for %s", language)
    QLocale.setDefault(QLocale(language))
    for before in app.findChildren(QTranslator, _TRANSLATOR):
        app.removeTranslator(before)
        before.deleteLater()
    translator = QTranslator(app)
    translator.setObjectName(_TRANSLATOR)
    folder = QLibraryInfo.path(QLibraryInfo.LibraryPath.TranslationsPath)
    if language != words.SOURCE_LANGUAGE and translator.load(f"qtbase_{language}", folder):
        app.installTranslator(translator)
