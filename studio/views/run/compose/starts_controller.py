"""Where the agents of an experiment begin, in the compose panel: steps of trajectories, or failed runs."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from PySide6.QtCore import QObject, Slot

from collector.model.i18n import _, ngettext
from collector.model.text.step_place import step_place
from collector.run.experiment import edits
from studio.bridge.runs.experiment_reading import LoadedExperiment
from studio.views.conditions.popup_menus import ask_for_text
from studio.views.run.experiment_panel import ExperimentPanel
from studio.views.run.session import RunSession
from studio.widgets.experiment.chip_row import ChipItem

_QUERY = "?"
"""Key of the chip of a search: no step of a trajectory begins so."""


class StartsController(QObject):
    """Shows and edits the key ``starts``. Every edit is one named step of the history."""

    def __init__(self, session: RunSession, panel: ExperimentPanel, parent: QObject) -> None:
        super().__init__(parent)
        self._session, self._panel = session, panel
        panel.start_chips.chosen.connect(self._remove)
        panel.start_chips.add_wanted.connect(self.ask)
        session.experiment_chosen.connect(self._show)
        session.experiment_changed.connect(self._show)

    @property
    def _written(self) -> Any:
        loaded = self._session.loaded
        return loaded.file.root.plain.get("starts") if loaded is not None else None

    @Slot()
    def _show(self) -> None:
        loaded = self._session.loaded
        if loaded is None:
            return
        chips = start_chips(loaded)
        self._panel.start_chips.show_items(chips)
        count = len(loaded.experiment.starts or ())
        self._panel.starts.show_count(str(count) if chips else _("at the beginning"))

    @Slot()
    def ask(self) -> None:
        """Ask for a step or a search."""
        if self._session.experiment is not None and not self._session.is_active:
            ask_for_text(
                self._panel.window(), _("Where agents begin"),
                _("A step, as in golden-1@3, or a search for runs: each from before its first wrong step"),
                f'experiment:"{self._session.name}" outcome:failure', self._add,
            )  # fmt: skip

    def _add(self, text: str) -> None:
        words = text.strip()
        if step_place(words) is not None:
            self._session.edit(_("add a start"), lambda text: edits.add_start(text, words))
        elif words:
            self._set(_("add a start"), {"where": words})

    @Slot(str)
    def _remove(self, key: str) -> None:
        written = self._written
        left = [item for item in written if item != key] if isinstance(written, list) else []
        self._set(_("remove a start"), left or None)

    def _set(self, title: str, value: Any) -> None:
        self._session.edit(title, lambda text: edits.set_value(text, "starts", value))


def start_chips(loaded: LoadedExperiment) -> list[ChipItem]:
    """A chip for each step that the file names, or for its search; none for the beginning of each task."""
    written, starts = loaded.file.root.plain.get("starts"), loaded.experiment.starts or ()
    if isinstance(written, Mapping):
        words = ngettext("{count} run before its error", "{count} runs before their errors", len(starts))
        tip = _("Found by {query}. Click to remove it", query=written.get("where", ""))
        return [ChipItem(_QUERY, words, tip)]
    listed = written if isinstance(written, list) else [] if written is None else [written]
    return [ChipItem(str(item), str(item), _("Remove the start {name}", name=item)) for item in listed]
