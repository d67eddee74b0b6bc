"""The screens of a trajectory, copied into an export as they were recorded, each file once."""

from __future__ import annotations

from collections.abc import Container
from pathlib import Path, PurePosixPath

from collector.exchange.exchange_log import ExchangeLog
from collector.exchange.exports.exported_picture import ENDINGS, ExportedPicture, exported_picture
from collector.model.errors import UserError
from collector.model.i18n import _
from collector.store.trajectory.reader import StoredTrajectory


class CopiedScreens:
    """Copies the screenshots and trees that are asked for into a folder; two states may show one file."""

    def __init__(
        self, stored: StoredTrajectory, folder: Path, log: ExchangeLog, formats: Container[str] = ENDINGS
    ) -> None:
        """A picture of another format than ``formats`` becomes a PNG."""
        self._stored, self._folder, self._log, self._formats = stored, folder, log, formats
        self._names: dict[str, str] = {}

    def picture(self, index: int) -> str:
        """Name in the folder of a state's screenshot; empty when there is none that can be shown.

        Its ending says the format.
        """
        source = self._stored.steps[index].state.screenshot
        if source not in self._names:
            self._names[source] = self._copied_picture(index)
        return self._names[source]

    def tree(self, index: int) -> str:
        """Name in the folder of a state's tree; empty when there is none that can be read."""
        source = self._stored.steps[index].state.tree
        if source not in self._names:
            self._names[source] = self._copied_tree(index)
        return self._names[source]

    def shown(self, index: int) -> ExportedPicture | None:
        """A state's screenshot without a copy; None when there is none that can be shown."""
        return exported_picture(self._stored, self._stored.steps[index], self._log, index, self._formats)

    def _copied_picture(self, index: int) -> str:
        picture = self.shown(index)
        if picture is None:
            return ""
        name = PurePosixPath(self._stored.steps[index].state.screenshot)
        endings = ENDINGS[picture.format]
        written = name.name if name.suffix in endings else f"{name.name}{endings[0]}"
        self._folder.mkdir(parents=True, exist_ok=True)
        picture.write(self._folder / written)
        return written

    def _copied_tree(self, index: int) -> str:
        step = self._stored.steps[index]
        try:
            data = self._stored.tree(step)
        except UserError as error:
            self._log.add("file-missing", _("A file was left out: {why}", why=error), step=index)
            return ""
        if data is None:
            return ""
        name = PurePosixPath(step.state.tree).name
        self._folder.mkdir(parents=True, exist_ok=True)
        (self._folder / name).write_bytes(data)
        return name
