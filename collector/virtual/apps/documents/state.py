"""The whole state of the files app, as YAML shows it."""

from __future__ import annotations

from dataclasses import dataclass

from collector.virtual.ui.shared_files import SHARED, SharedFile


@dataclass(frozen=True, slots=True)
class FilesState:
    """Where the person is, and what is chosen. The files themselves are those of the storage."""

    locale: str = "en-US"
    folder: str = SHARED
    searching: bool = False
    query: str = ""
    selected: tuple[str, ...] = ()
    """Paths."""
    dialog: str = ""
    """folder, delete or none."""
    name: str = ""
    """Of the folder that is made."""

    def listed(self, files: tuple[SharedFile, ...]) -> list[SharedFile]:
        """What is in the folder, or with a query what is found below it: folders first, by name."""
        words = self.query.casefold().split()
        if self.searching and words:
            inside = (file for file in files if file.path.startswith(self.folder + "/"))
            shown = [file for file in inside if all(word in file.name.casefold() for word in words)]
        else:
            shown = [file for file in files if file.folder == self.folder]
        shown = [file for file in shown if not file.name.startswith(".")]
        return sorted(shown, key=lambda file: (not file.is_folder, file.name.casefold()))
