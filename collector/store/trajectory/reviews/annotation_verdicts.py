"""Verdicts in annotation files of version 1. Since version 2 every verdict is a judgement."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from collector.model.verdicts.judgement import (
    FAILURE,
    PERSON,
    RULE,
    SUCCESS,
    TASK,
    UNCOMPLETED,
    UNDECIDED,
    Judgement,
    Subject,
)
from collector.store.files import layout
from collector.store.files.links import refuse_link
from collector.store.files.readable_path import ReadablePath
from collector.store.trajectory import codec

IMPORTED = "imported"
"""Under this name imports write what the source said; it is nobody's own work."""
_WORDS = {
    "success": SUCCESS,
    "failure": FAILURE,
    "failed": FAILURE,
    "uncompleted": UNCOMPLETED,
}  # fmt: skip


def annotation_verdict(who: str, document: Mapping[str, Any]) -> Judgement | None:
    """The judgement that an annotation file of version 1 holds; None when it holds none.

    Imports wrote the verdict of the rules of others, under the name ``imported``; all else is a person's.
    A word that is no verdict makes the judgement undecided, with the word in its reason.
    """
    word = document.get("verdict")
    if document.get("version", 1) != 1 or not isinstance(word, str) or not word:
        return None
    reason = document.get("reason")
    reason = reason if isinstance(reason, str) else ""
    verdict = _WORDS.get(word.strip().lower(), UNDECIDED)
    if verdict == UNDECIDED:
        reason = ": ".join(filter(None, (word, reason)))
    kind = RULE if who == IMPORTED else PERSON
    return Judgement(who, kind, "", Subject(TASK), verdict, reason=reason)


def annotation_verdicts(folder: ReadablePath) -> list[Judgement]:
    """The verdicts in the annotation files of the trajectory in ``folder`` that are still of version 1.

    A file that cannot be read is left out: the check of the trajectory names it.
    """
    verdicts: list[Judgement] = []
    if not (folder / layout.ANNOTATIONS).is_dir():
        return verdicts
    for path in sorted((folder / layout.ANNOTATIONS).glob("*.json"), key=lambda path: path.name):
        document = read_raw_annotations(path)
        verdict = annotation_verdict(str(document.get("who") or path.stem), document) if document else None
        if verdict is not None:
            verdicts.append(verdict)
    return verdicts


def read_raw_annotations(path: ReadablePath) -> Mapping[str, Any]:
    """An annotation file as it stands, of any version; empty when it is missing or cannot be read.

    Raises UnsafePath for a link.
    """
    refuse_link(path.parent)
    refuse_link(path)
    try:
        document = codec.load_json(path.read_bytes())
    except (OSError, ValueError):
        return {}
    return document if isinstance(document, dict) else {}
