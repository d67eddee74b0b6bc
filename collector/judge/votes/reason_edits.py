"""Edit the reasons of failures: add, rename, describe, move and remove."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from collector.model.errors import UserError
from collector.model.i18n import _
from collector.model.verdicts.failure_reason import FailureReason, reason_id, require_reason

Reasons = tuple[FailureReason, ...]


def add_reason(reasons: Sequence[FailureReason], name: str, description: str = "") -> Reasons:
    """The reasons with a new one at the end. Raises UserError for no name, or one that is known."""
    new = FailureReason(reason_id(name, (reason.id for reason in reasons)), _free_name(reasons, name))
    return (*reasons, replace(new, description=description.strip()))


def rename_reason(reasons: Sequence[FailureReason], wanted: str, name: str) -> Reasons:
    """The reasons with another name for one, which keeps its id. Raises UserError."""
    known = require_reason(wanted, reasons)
    others = [reason for reason in reasons if reason is not known]
    renamed = replace(known, name=_free_name(others, name))
    return tuple(renamed if reason is known else reason for reason in reasons)


def describe_reason(reasons: Sequence[FailureReason], wanted: str, description: str) -> Reasons:
    """The reasons with another description of one. Raises UserError."""
    known = require_reason(wanted, reasons)
    described = replace(known, description=description.strip())
    return tuple(described if reason is known else reason for reason in reasons)


def remove_reason(reasons: Sequence[FailureReason], wanted: str) -> Reasons:
    """The reasons without one; verdicts that name it show its id from then on. Raises UserError."""
    known = require_reason(wanted, reasons)
    return tuple(reason for reason in reasons if reason is not known)


def move_reason(reasons: Sequence[FailureReason], wanted: str, places: int) -> Reasons:
    """The reasons with one moved up (a negative number) or down, at most to an end. Raises UserError."""
    known = require_reason(wanted, reasons)
    ordered = [reason for reason in reasons if reason is not known]
    place = list(reasons).index(known) + places
    ordered.insert(max(0, min(place, len(ordered))), known)
    return tuple(ordered)


def _free_name(reasons: Sequence[FailureReason], name: str) -> str:
    """The name without spaces around it; UserError for none, and for that of another reason."""
    plain = " ".join(name.split())
    if not plain:
        raise UserError(_("A reason needs a name"))
    if any(plain.casefold() in (reason.name.casefold(), reason.label.casefold()) for reason in reasons):
        raise UserError(_("There is a reason {name} already", name=plain), "", _("Choose another name"))
    return plain
