"""Check the files of queues. Nothing is changed."""

from __future__ import annotations

from collections.abc import Iterator

from collector.model.errors import UserError
from collector.model.finding import Finding
from collector.model.i18n import _
from collector.review.queue import PRESETS
from collector.review.queue_files import check_queue, read_queue_file
from collector.store.files.findings import ERROR, WARNING
from collector.store.project.project import Project


def check_queues(project: Project) -> Iterator[Finding]:
    """One finding for each file that cannot be read or cannot work, or whose name another queue has."""
    seen = {queue.name.casefold() for queue in PRESETS}
    for path in project.paths.review_queues():
        where = project.paths.relative(path)
        try:
            queue = read_queue_file(project.paths, path)
            check_queue(queue)
        except UserError as error:
            yield Finding("queue-damaged", ERROR, str(error), where=where)
            continue
        if queue.name.casefold() in seen:
            text = _("Another queue is called {name}, too; it is found first", name=queue.name)
            yield Finding("queue-twice", WARNING, text, where=where)
        seen.add(queue.name.casefold())
