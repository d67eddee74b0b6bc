"""Annotations of a trajectory: achieved states, comments and review of each person, in a file per person.

Verdicts are judgements (:mod:`collector.store.trajectory.judgements`). A file of version 1 could hold one.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from collector.model.i18n import _
from collector.model.verdicts.judgement import Judgement
from collector.store.files import format_versions as versions
from collector.store.files import layout
from collector.store.files.disk import Disk
from collector.store.files.errors import Damaged
from collector.store.files.links import refuse_link
from collector.store.files.names import folder_name
from collector.store.files.project_version import raise_version_around
from collector.store.trajectory import codec
from collector.store.trajectory.judgements import add_judgements, read_judgements
from collector.store.trajectory.reviews.annotation_verdicts import annotation_verdict, read_raw_annotations


def path_of(folder: Path, who: str) -> Path:
    """The annotation file of ``who`` in a trajectory's folder."""
    return folder / layout.ANNOTATIONS / f"{folder_name(who)}.json"


def read_annotations(folder: Path, who: str) -> versions.Document | None:
    """The annotations of ``who``, or None. Raises Damaged, FromTheFuture or UnsafePath."""
    path = path_of(folder, who)
    _refuse_links(path)
    try:
        document = codec.load_json(path.read_bytes())
    except FileNotFoundError:
        return None
    except (ValueError, OSError) as error:
        raise Damaged(_("{name} cannot be read", name=path.name), str(error)) from None
    return versions.ANNOTATIONS.upgrade(document, path.name)


def write_annotations(folder: Path, who: str, says: Mapping[str, Any], disk: Disk | None = None) -> None:
    """Replace the annotations of ``who``; keys are achieved_states, comments, review, ...

    The verdict of a file of version 1 becomes a judgement before the file is replaced.
    """
    disk = disk or Disk()
    path = path_of(folder, who)
    before = annotation_verdict(who, read_raw_annotations(path))
    if before is not None:
        _move_verdict(folder, before, disk)
    raise_version_around(path, disk)
    disk.make_folder(folder / layout.ANNOTATIONS)
    values = {key: value for key, value in says.items() if key not in ("format", "version", "who")}
    document = versions.ANNOTATIONS.stamp({"who": who, **values})
    disk.write(path, codec.dump_document(document))


def _move_verdict(folder: Path, verdict: Judgement, disk: Disk) -> None:
    """Write a verdict of version 1 as a judgement, unless its judge has judged again since."""
    stored = read_judgements(folder).newest().get((verdict.judge, verdict.subject))
    if stored in (None, verdict):
        add_judgements(folder, [verdict], disk)


def _refuse_links(path: Path) -> None:
    """Raise UnsafePath when a file of annotations, or its folder, is a link."""
    refuse_link(path.parent)
    refuse_link(path)
