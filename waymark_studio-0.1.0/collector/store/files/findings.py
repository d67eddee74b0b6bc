"""Findings about a project that are known in several places: their severities, and how each is said."""

from __future__ import annotations

from collector.model.finding import Finding
from collector.model.i18n import _, ngettext
from collector.store.files.errors import StoreError
from collector.store.files.layout import PROJECT_FILE

ERROR = "error"
WARNING = "warning"
NOTICE = "notice"
"""What a recording says of itself. Nothing is damaged: a check that finds nothing else is passed."""


def damaged_file(name: str, error: StoreError) -> Finding:
    """The finding about ``project.yaml`` or ``tasks.yaml`` that cannot be read."""
    code = "settings-damaged" if name == PROJECT_FILE else "tasks-damaged"
    return Finding(code, ERROR, str(error), where=name)


def recorded_problem(where: str, problem: str, count: int) -> Finding:
    """The finding about a golden trajectory with ``count`` states that could not be captured well.

    ``problem`` is the sentence of the first of them.
    """
    if count > 1:
        others = ngettext("{count} more state", "{count} more states", count - 1)
        problem = _("{problem}; {others} with a problem", problem=problem, others=others)
    return Finding("state-problem", NOTICE, problem, where=where)
