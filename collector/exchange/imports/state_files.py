"""Files of essential states: Waymark's own as YAML, JSON or CSV, LlamaTouch's and MobiFlow's."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from collector.exchange.errors import ExchangeError
from collector.exchange.exchange_log import ExchangeLog
from collector.exchange.formats import llamatouch_states, mobiflow
from collector.exchange.source import files as source_files
from collector.exchange.source.states import SourceStates
from collector.located_yaml.yaml_patch import documents
from collector.model.essential_state import EssentialState
from collector.model.i18n import _
from collector.store.files import yaml_files
from collector.store.tasks.state_file import entry_of, states_of

YAML, JSON, CSV = "yaml", "json", "csv"
FORMATS = (YAML, JSON, CSV)
COLUMNS = ("id", "description", "task", "after", "optional", "alternatives", "status", "conditions")
_LISTS = ("after", "alternatives")
_SEPARATOR = " "


def written(states: Iterable[EssentialState], format_id: str) -> str:
    """Essential states as a text that can be imported again."""
    entries = [entry_of(state) for state in states]
    if format_id == JSON:
        return json.dumps({"states": entries}, ensure_ascii=False, indent=2) + "\n"
    if format_id == CSV:
        text = io.StringIO()
        rows = csv.DictWriter(text, COLUMNS, lineterminator="\n")
        rows.writeheader()
        rows.writerows(map(_row, entries))
        return text.getvalue()
    return documents.new_document({"states": entries})


def not_in_csv(states: Iterable[EssentialState]) -> list[str]:
    """Keys of states that a table has no column for."""
    return sorted({key for state in states for key in entry_of(state) if key not in COLUMNS})


def read(path: Path, log: ExchangeLog) -> SourceStates:
    """The states of a file, or of a folder of LlamaTouch. Raises ExchangeError."""
    log.where = path.name
    if path.is_dir() or path.suffix == ".ess":
        folder = path if path.is_dir() else path.parent
        source = llamatouch_states.read_states(folder, log)
        if not source.states:
            raise _nothing(path, _("it has no files like 3.ess"))
        return source
    if not source_files.is_file(path):
        raise ExchangeError(_("There is no {path}", path=path), "", _("Check the name"))
    if path.suffix.lower() == ".csv":
        document: object = {"states": _of_table(source_files.read_text(path))}
    elif path.suffix.lower() == ".json":
        document = source_files.read_json(path)
    else:
        document = yaml_files.load(path)
    if isinstance(document, Mapping) and mobiflow.is_flow(document):
        return mobiflow.read_states(document, log)
    states = tuple(states_of(document, path.name).values())
    if not states:
        raise _nothing(path, _("it lists no states under `states`"))
    return SourceStates(states, tuple(state.id for state in states), has_ids=True)


def _nothing(path: Path, why: str) -> ExchangeError:
    return ExchangeError(
        _("{path} holds no essential states", path=path), why,
        _("Name a file of states, a trace of LlamaTouch or a file of MobiFlow"),
    )  # fmt: skip


def _row(entry: Mapping[str, Any]) -> dict[str, str]:
    row = {key: str(entry.get(key, "")) for key in COLUMNS}
    row |= {key: _SEPARATOR.join(entry.get(key, ())) for key in _LISTS}
    row["optional"] = "true" if entry.get("optional") else ""
    conditions = entry.get("conditions")
    row["conditions"] = json.dumps(conditions, ensure_ascii=False) if conditions else ""
    return row


def _of_table(text: str) -> list[dict[str, Any]]:
    """The entries of a table; a cell of conditions is JSON."""
    entries = []
    for number, row in enumerate(csv.DictReader(io.StringIO(text.removeprefix("\ufeff"))), start=2):
        entry: dict[str, Any] = {key: value for key, value in row.items() if key and value}
        entry |= {key: str(entry[key]).split() for key in _LISTS if key in entry}
        if "optional" in entry:
            entry["optional"] = str(entry["optional"]).lower() == "true"
        if "conditions" in entry:
            try:
                entry["conditions"] = json.loads(entry["conditions"])
            except ValueError as error:
                what = _("The conditions in line {line} are no JSON", line=number)
                raise ExchangeError(what, str(error)) from None
        entries.append(entry)
    return entries
