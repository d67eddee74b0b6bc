"""Save a plot as PNG or SVG: ask for the file, and write it behind the window."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from pathlib import Path

from PySide6.QtCore import QObject, Qt, Slot
from PySide6.QtWidgets import QFileDialog, QWidget

from collector.model.i18n import _
from studio.views.services import WindowServices
from studio.widgets.dialogs.file_dialog import dress_file_dialog
from studio.widgets.metric_plots.figure import PNG, SVG, Figure, format_of, image_of, png_of, svg_of


class PlotSaver(QObject):
    """Saves the figure that ``figure`` gives when a file is chosen; ``name`` has no ending."""

    def __init__(
        self, host: QWidget, services: WindowServices, name: str, figure: Callable[[], Figure]
    ) -> None:
        super().__init__(host)
        self._host, self._services, self._name, self._figure = host, services, name, figure

    @Slot()
    def ask(self) -> QFileDialog:
        """Ask for a file; its ending chooses the format."""
        kinds = (_("Picture (*.png)"), _("Vector graphic (*.svg)"))
        dialog = QFileDialog(self._host, _("Save the plot"), f"{self._name}.{PNG}", ";;".join(kinds))
        dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        dialog.setAcceptMode(QFileDialog.AcceptMode.AcceptSave)
        dialog.setDefaultSuffix(PNG)
        dress_file_dialog(dialog)
        dialog.filterSelected.connect(self._kind_chosen)
        dialog.fileSelected.connect(self.save)
        dialog.open()
        return dialog

    @Slot(str)
    def _kind_chosen(self, kind: str) -> None:
        """Give the name in the dialog the ending of the kind."""
        dialog = self.sender()
        if isinstance(dialog, QFileDialog):
            ending = SVG if f".{SVG}" in kind else PNG
            dialog.setDefaultSuffix(ending)
            for path in dialog.selectedFiles()[:1]:
                dialog.selectFile(Path(path).with_suffix(f".{ending}").name)

    @Slot(str)
    def save(self, path: str) -> None:
        """Draw the plot in the colours of the theme, and write it."""
        figure = self._figure()
        # A picture is drawn here, as all painting is, and packed on the other thread.
        pack = partial(bytes, svg_of(figure)) if format_of(path) == SVG else partial(png_of, image_of(figure))
        self._services.tasks.run(
            partial(_write, Path(path), pack), success=self._saved, failure=self._services.toasts.show_error
        )

    @Slot(object)
    def _saved(self, path: Path) -> None:
        self._services.toasts.show("ok", _("The plot is saved"), str(path))


def _write(path: Path, pack: Callable[[], bytes], _job: object) -> Path:
    path.write_bytes(pack())
    return path
