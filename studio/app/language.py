"""The language of the window: our own texts, those of Qt, and numbers and dates."""

from __future__ import annotations

import logging

from PySide6.QtCore import QLibraryInfo, QLocale, Qt, QTranslator
from PySide6.QtWidgets import QApplication

from collector.model import i18n as words
from collector.model.i18n import N_, _
from collector.model.pseudo_language import ACCENTED, MIRRORED
from collector.model.resources import asset

_log = logging.getLogger(__name__)
_TRANSLATOR = "qt-texts"
_NOT_IN_FILES_OF_QT = {
    "QFileDialog": (N_("&Look in:"), N_("Files of &type:")),
    "QAbstractFileIconProvider": (N_("Drive"), N_("File"), N_("%1 File"), N_("Folder")),
}
"""Texts of the file dialog that some of Qt's own translations lack, by their context."""


class _GapTranslator(QTranslator):
    """Says in our words what the translation that comes with Qt does not."""

    def translate(self, context: str, text: str, _comment: str | None = None, _count: int = -1) -> str:
        return _(text) if text in _NOT_IN_FILES_OF_QT.get(context, ()) else ""


def _direction(language: str) -> Qt.LayoutDirection:
    return Qt.LayoutDirection.RightToLeft if language == MIRRORED else QLocale(language).textDirection()


def use_language(app: QApplication, language: str) -> None:
    """Use ``language`` for all texts read from now on; texts that a widget already shows stay as they are."""
    if not words.use_language(language, asset("translations")):
        _log.warning("there is no catalogue for %s", language)
    QLocale.setDefault(QLocale(language))
    app.setLayoutDirection(_direction(language))
    for before in app.findChildren(QTranslator, _TRANSLATOR):
        app.removeTranslator(before)
        before.deleteLater()
    if language in (words.SOURCE_LANGUAGE, ACCENTED, MIRRORED):
        return
    gaps, of_qt = _GapTranslator(app), QTranslator(app)
    of_qt.load(f"qtbase_{language}", QLibraryInfo.path(QLibraryInfo.LibraryPath.TranslationsPath))
    for translator in (gaps, of_qt):  # the last one is asked first
        translator.setObjectName(_TRANSLATOR)
        app.installTranslator(translator)
