"""Say that a key of a file means nothing, with the known key that is like it."""

from __future__ import annotations

from collections.abc import Collection

from collector.located_yaml.nearest_word import nearest
from collector.model.finding import Finding
from collector.model.i18n import _
from collector.store.files.findings import NOTICE, WARNING


def unknown_key(
    code: str, subject: str, key: str, known: Collection[str], where: str, *, of_others: bool
) -> Finding:
    """A finding about ``key``: a warning; with ``of_others`` a notice unless it is like one of ``known``.

    ``of_others``: other programs keep keys of their own in the file, which imports and edits leave there.
    """
    near = nearest(key, known)
    text = _("{subject} has the key {key}, which means nothing to Waymark", subject=subject, key=key)
    to_do = _("Did you mean {word}?", word=near) if near else ""
    return Finding(code, NOTICE if of_others and not near else WARNING, text, "", to_do, where)
