"""Find the app that a name means among those of a phone: its label first, then words of its package."""

from __future__ import annotations

import difflib
import re
import unicodedata
from collections.abc import Callable, Sequence

from collector.device.apps.installed_app import InstalledApp
from collector.device.errors import DeviceError
from collector.model.i18n import _

_MOST_NAMED = 6
_SHORTEST_PART = 2
"""Characters of a label that may be a part of a longer name; a single one is in too many."""
_SEPARATORS = re.compile(r"[\W_]+")


class AppNotFound(DeviceError):  # noqa: N818 - as the other states of a phone
    """A name means no app of the phone, or several."""


def find_app(name: str, apps: Sequence[InstalledApp]) -> InstalledApp:
    """The one app that ``name`` means. Raises AppNotFound with the candidates in one sentence.

    The first rule with a match decides: the package; the label, with case and without; a label that has the
    name as whole words or as a part; a name that has the label in it; words of the package.
    """
    if not name.strip():
        raise AppNotFound(_("The app to open has no name"))
    for matches in _RULES:
        matching = [app for app in apps if matches(name, app)]
        if len(matching) == 1:
            return matching[0]
        if matching:
            raise AppNotFound(
                _(
                    "The name {name} means several apps of the phone: {candidates}",
                    name=name,
                    candidates=_named(matching),
                )
            )
    raise AppNotFound(_unknown(name, apps))


def _unknown(name: str, apps: Sequence[InstalledApp]) -> str:
    if not apps:
        return _("The phone has no app {name}, and names none of its apps", name=name)
    near = _nearest(name, apps)
    if near:
        return _("The phone has no app {name}; the most similar are {candidates}", name=name, candidates=near)
    return _("The phone has no app {name}; it has {candidates}", name=name, candidates=_named(apps))


def _nearest(name: str, apps: Sequence[InstalledApp]) -> str:
    by_text = {_plain(text): app for app in apps for text in (app.package.rpartition(".")[2], app.label)}
    texts = difflib.get_close_matches(_plain(name), by_text, n=_MOST_NAMED)
    return _named(list(dict.fromkeys(by_text[text] for text in texts)))


def _named(apps: Sequence[InstalledApp]) -> str:
    shown = ", ".join(str(app) for app in apps[:_MOST_NAMED])
    if len(apps) > _MOST_NAMED:
        return _("{names} and {count} more", names=shown, count=len(apps) - _MOST_NAMED)
    return shown


def _plain(text: str) -> str:
    """The text without case, punctuation and kinds of spaces."""
    return _SEPARATORS.sub(" ", unicodedata.normalize("NFKC", text).casefold()).strip()


def _same_label(name: str, app: InstalledApp) -> bool:
    return bool(app.label) and (_plain(name) or name.strip()) == (_plain(app.label) or app.label.strip())


def _words_of_label(name: str, app: InstalledApp) -> bool:
    return bool(_plain(name)) and f" {_plain(name)} " in f" {_plain(app.label)} "


def _part_of_label(name: str, app: InstalledApp) -> bool:
    return bool(_plain(name)) and _plain(name) in _plain(app.label)


def _words_around_label(name: str, app: InstalledApp) -> bool:
    return len(_plain(app.label)) >= _SHORTEST_PART and f" {_plain(app.label)} " in f" {_plain(name)} "


def _text_around_label(name: str, app: InstalledApp) -> bool:
    """Of scripts that put no spaces between words; among letters of others a part says nothing."""
    label = _plain(app.label)
    return len(label) >= _SHORTEST_PART and not label.isascii() and label in _plain(name)


def _end_of_package(name: str, app: InstalledApp) -> bool:
    return _plain(name).replace(" ", "") == app.package.casefold().rpartition(".")[2]


def _part_of_package(name: str, app: InstalledApp) -> bool:
    return _plain(name).replace(" ", "") in app.package.casefold().split(".")


def _words_of_package(name: str, app: InstalledApp) -> bool:
    words = _plain(name).split()
    return bool(words) and set(words) <= set(app.package.casefold().split("."))


_RULES: tuple[Callable[[str, InstalledApp], bool], ...] = (
    lambda name, app: name.strip() == app.package,
    lambda name, app: name.strip() == app.label.strip(),
    _same_label,
    _words_of_label,
    _part_of_label,
    _words_around_label,
    _text_around_label,
    _end_of_package,
    _part_of_package,
    _words_of_package,
)
