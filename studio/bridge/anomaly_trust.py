"""What a project's library would run, for the person who decides whether it may; for jobs only."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from collector.anomalies.as_run import Group, as_run
from collector.anomalies.injector import Request
from collector.anomalies.model import Library
from collector.anomalies.reader import read_library
from collector.anomalies.trust import TrustBook, of_project
from collector.rules.errors import RuleError
from collector.store.errors import Damaged

LIBRARY_FILE = Path("anomalies", "library.yaml")


@dataclass(frozen=True, slots=True)
class TrustWanted:
    """An anomaly was to be fired whose project nobody has trusted yet."""

    folder: Path
    request: Request
    groups: tuple[Group, ...]
    commands: tuple[str, ...]
    """As their file writes them: what would be trusted."""


def read_project_library(folder: Path) -> Library | None:
    """The project's own library, None when it has none; raises Damaged when it cannot be read."""
    path = folder / LIBRARY_FILE
    try:
        text = path.read_text("utf-8")
    except FileNotFoundError:
        return None
    except (OSError, ValueError) as error:
        raise Damaged(str(LIBRARY_FILE), str(error)) from None
    return read_library(text, str(path))


def trust_wanted(folder: Path, request: Request) -> TrustWanted | None:
    """What has to be looked at before ``request`` may be fired; None when it may be."""
    trusts = of_project(folder)
    if all(trusts(command.text) for command in request.anomaly.commands):
        return None
    try:
        library = read_project_library(folder)
    except (Damaged, RuleError):
        library = None
    listed = [*(library.anomalies if library is not None else ()), request.anomaly]
    book = TrustBook()
    wanted = book.untrusted(folder, [one.text for anomaly in listed for one in anomaly.commands])
    # A project that does not say that it is trusted runs nothing, whatever was looked at before.
    wanted = wanted or list(dict.fromkeys(one.text for one in request.anomaly.commands))
    unique = {anomaly.id: anomaly for anomaly in listed}.values()
    own = request.anomaly.id
    groups = [
        as_run(one, wanted, request.values if one.id == own else None, request.package) for one in unique
    ]
    return TrustWanted(folder, request, tuple(one for one in groups if one.commands), tuple(wanted))
