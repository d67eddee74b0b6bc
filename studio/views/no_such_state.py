"""The error of a number key for which a task has no essential state: one for all numbers, so one toast."""

from __future__ import annotations

from collector.model.errors import UserError
from collector.model.i18n import _, ngettext


def no_such_state(count: int) -> UserError:
    """The error for a task with so many essential states."""
    states = ngettext("one essential state", "{count} essential states", count)
    return UserError(
        _("This task has no essential state of that number"), _("It has {states}", states=states)
    )
