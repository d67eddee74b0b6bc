"""The commands of anomalies as they would run, for the person who decides whether they may."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass

from collector.anomalies.errors import Unsuitable
from collector.anomalies.filling import fill, values_of
from collector.anomalies.model import Anomaly
from collector.anomalies.touched import Touched, touched


@dataclass(frozen=True, slots=True)
class Group:
    """The commands of one anomaly as they would run."""

    anomaly: str
    description: str
    commands: tuple[Touched, ...]


def as_run(
    anomaly: Anomaly, wanted: Collection[str], given: Mapping[str, object] | None = None, package: str = ""
) -> Group:  # fmt: skip
    """Those of ``wanted``, as their file writes them, with the anomaly's values in place.

    What is only known on the phone, and the app while no ``package`` is named, stays a name in braces.
    """
    try:
        values = values_of(anomaly, given, package)
    except Unsuitable:
        values = values_of(anomaly)
    seen = dict.fromkeys(one.text for one in anomaly.commands if one.text in wanted)
    return Group(anomaly.id, anomaly.description, tuple(touched(fill(text, values)) for text in seen))
