"""The results of a check as a JSON document, and back."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping
from typing import Any

from collector.device_check.results import (
    Ability,
    CheckedPhone,
    CheckOutcome,
    CheckStepResult,
    DeviceCheckResults,
    PhoneMeasurement,
    WorkspaceVerdict,
)
from collector.model.errors import UserError
from collector.model.i18n import _

KIND = "waymark-device-check"
FORMAT = 1


def results_as_dict(results: DeviceCheckResults) -> dict[str, Any]:
    """The document: every field by its name, with the kind and version of the format, and all quirks."""
    found = dataclasses.asdict(results)
    return {
        "kind": KIND,
        "format": FORMAT,
        **found,
        "quirks": list(results.quirks),
        "settings": dict(results.settings),
    }


def results_of_dict(document: object) -> DeviceCheckResults:
    """The results in a document, which may come from anybody. Raises UserError when it is none."""
    if not isinstance(document, Mapping) or document.get("kind") != KIND:
        raise UserError(_("This is no report of a checked phone"))
    if document.get("format") != FORMAT:
        raise UserError(
            _("This report has a format that is not known here"), "", _("Read it with a newer Waymark Studio")
        )
    try:
        return _results(document)
    except (KeyError, TypeError, ValueError, AttributeError) as error:
        raise UserError(_("This report of a checked phone is damaged"), str(error)[:200]) from None


def _results(document: Mapping[str, Any]) -> DeviceCheckResults:
    phone = CheckedPhone(
        **{each.name: _plain(document["phone"][each.name]) for each in dataclasses.fields(CheckedPhone)}
    )
    verdicts = tuple(
        WorkspaceVerdict(str(each["workspace"]), bool(each["works"]), _texts(each["limits"]))
        for each in document["verdicts"]
    )
    return DeviceCheckResults(
        phone, tuple(map(_step, document["steps"])), verdicts,
        {str(key): str(value) for key, value in document["settings"].items()}, _texts(document["unrestored"]),
        _texts(document["changed_meanwhile"]), str(document["end"]), float(document["seconds"]),
        str(document["version"]),
    )  # fmt: skip


def _step(each: Mapping[str, Any]) -> CheckStepResult:
    measurements = (
        PhoneMeasurement(str(entry["name"]), _plain(entry["value"]), str(entry["unit"]))
        for entry in each["measurements"]
    )
    abilities = (
        Ability(str(entry["id"]), bool(entry["works"]), str(entry["reason"])) for entry in each["abilities"]
    )
    return CheckStepResult(
        str(each["step"]), CheckOutcome(each["outcome"]), str(each["reason"]), float(each["seconds"]),
        tuple(measurements), tuple(abilities), _texts(each["quirks"]),
    )  # fmt: skip


def _plain(value: Any) -> Any:
    if not isinstance(value, (bool, int, float, str)):
        raise TypeError(_("a plain value was expected"))
    return value


def _texts(values: Any) -> tuple[str, ...]:
    if not isinstance(values, list):
        raise TypeError(_("a list was expected"))
    return tuple(map(str, values))
