"""Queues as the files ``queues/<name>.yaml`` of a project: read, written and deleted."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import Any

from collector.model.errors import UserError
from collector.model.i18n import _
from collector.review.queue import MOST_REVIEWERS, PRESETS, QueueWork, ReviewQueue
from collector.states.documents.plain_fields import PlainFields
from collector.store.catalogue import query
from collector.store.files import yaml_files
from collector.store.files.disk import Disk
from collector.store.files.errors import Damaged, StoreError
from collector.store.files.format_versions import REVIEW_QUEUE, Document
from collector.store.files.layout import ProjectPaths
from collector.store.files.links import refuse_links_outside
from collector.store.files.review_lock import review_lock
from collector.store.project.project import Project

_KEYS = (
    "format", "version", "name", "title", "query", "work", "reviewers", "who", "judges", "created",
    "created_by",
)  # fmt: skip
_HIDDEN, _SHOWN = "hidden", "shown"
_LONGEST_NAME = 60


def read_queues(paths: ProjectPaths) -> tuple[tuple[ReviewQueue, ...], tuple[StoreError, ...]]:
    """The queues of a project in order of name, and why files of others cannot be read."""
    queues, problems = [], []
    for path in paths.review_queues():
        try:
            queues.append(read_queue_file(paths, path))
        except StoreError as error:
            problems.append(error)
    return tuple(sorted(queues, key=lambda queue: queue.name)), tuple(problems)


def read_queue_file(paths: ProjectPaths, path: Path) -> ReviewQueue:
    """The queue in one file of a project. Raises StoreError."""
    refuse_links_outside(paths.folder, [path.parent, path])
    return queue_of(yaml_files.load(path), paths.relative(path))


def queue_of(document: object, name: str) -> ReviewQueue:
    """The queue of a loaded document; ``name`` is that of the file. Raises Damaged or FromTheFuture."""
    fields = PlainFields(REVIEW_QUEUE.upgrade(document, name), name)
    reviewers = fields.plain("reviewers")
    if reviewers is not None and (isinstance(reviewers, bool) or reviewers not in (1, MOST_REVIEWERS)):
        raise Damaged(_("{name} cannot be read", name=name), _("reviewers has to be 1 or 2"))
    works = tuple(QueueWork)
    return ReviewQueue(
        fields.required("name"),
        fields.text("query"),
        QueueWork(fields.word("work", works, ", ".join(works)) or QueueWork.REVIEW),
        reviewers or 1,
        tuple(who.strip() for who in fields.texts("who") if who.strip()),
        fields.word("judges", (_HIDDEN, _SHOWN), f"{_HIDDEN}, {_SHOWN}") == _HIDDEN,
        fields.text("title"),
        fields.text("created"),
        fields.text("created_by"),
        extra=fields.rest(_KEYS),
    )


def queue_document(queue: ReviewQueue) -> Document:
    """The document of a queue; keys without a value are left out."""
    values: dict[str, Any] = {
        "name": queue.name,
        "title": queue.title,
        "query": queue.query,
        "work": str(queue.work),
        "reviewers": queue.reviewers,
        "who": list(queue.who),
        "judges": _HIDDEN if queue.hides_judges else _SHOWN,
        "created": queue.created,
        "created_by": queue.created_by,
    }
    extra = {key: value for key, value in queue.extra.items() if key not in _KEYS}
    return REVIEW_QUEUE.stamp({**{key: value for key, value in values.items() if value}, **extra})


def save_queue(
    project: Project, queue: ReviewQueue, *, replace: bool = False, disk: Disk | None = None
) -> Path:
    """Write a queue into the project; with ``replace`` over the one of its name. Returns the file.

    Raises UserError for a name that is taken, or a query that cannot be read, and StoreError.
    """
    check_queue(queue)
    project.require_writable()
    path, disk = project.paths.review_queue(queue.name), disk or Disk()
    with review_lock(project.folder):
        refuse_links_outside(project.folder, [path.parent, path])
        known = () if replace else read_queues(project.paths)[0]
        if (path.exists() and not replace) or _taken(queue.name, (*PRESETS, *known)):
            raise UserError(
                _("There is a queue {name} already", name=queue.name), "", _("Choose another name")
            )
        disk.make_folder(path.parent)
        yaml_files.write(path, queue_document(queue), disk)
    return path


def delete_queue(project: Project, name: str, *, disk: Disk | None = None) -> Path:
    """Delete the file of a queue; the reviews stay. Raises UserError when there is none, and StoreError."""
    if _taken(name, PRESETS):
        raise UserError(
            _("{name} is a preset queue", name=name), _("presets are in every project"), ""
        )  # fmt: skip
    project.require_writable()
    path = project.paths.review_queue(name)
    with review_lock(project.folder):
        refuse_links_outside(project.folder, [path.parent, path])
        if not path.exists():
            raise no_queue(name, read_queues(project.paths)[0])
        (disk or Disk()).remove(path)
    return path


def check_queue(queue: ReviewQueue) -> None:
    """Raise UserError for a queue that cannot work: its name, number of reviewers or query."""
    name = queue.name
    if not name.strip() or name != name.strip() or len(name) > _LONGEST_NAME or not name.isprintable():
        raise UserError(
            _("{name!r} is no name of a queue", name=name[:_LONGEST_NAME]),
            "",
            _("Write 1 to {count} characters", count=_LONGEST_NAME),
        )
    if queue.reviewers not in (1, MOST_REVIEWERS):
        raise UserError(_("A queue has 1 or 2 reviewers, not {count}", count=queue.reviewers))
    if queue.who and len(queue.who) < queue.reviewers:
        raise UserError(
            _("The queue wants 2 reviewers and names {count}", count=len(queue.who)),
            "",
            _("Name two people, or nobody: then anybody can review"),
        )
    query.clauses(queue.query)


def no_queue(name: str, known: Iterable[ReviewQueue]) -> UserError:
    """The error for a queue that there is not."""
    names = ", ".join(queue.name for queue in (*PRESETS, *known))
    return UserError(_("There is no queue {name}", name=name), "", _("Name one of: {known}", known=names))


def _taken(name: str, queues: Iterable[ReviewQueue]) -> bool:
    return any(queue.name.casefold() == name.casefold() for queue in queues)
