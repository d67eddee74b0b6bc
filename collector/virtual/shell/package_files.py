"""The files of packages: what ``pm path`` prints, made when somebody first looks."""

from __future__ import annotations

import stat
from collections.abc import Callable, Iterable
from functools import partial
from typing import IO, TYPE_CHECKING

from collector.virtual.shell.files import FileEntry, Files

if TYPE_CHECKING:
    from collector.virtual.system.phone import PackageInfo, Phone

_SYSTEM_ROOTS = (
    "/system/app", "/system/priv-app", "/system/framework", "/system_ext/app", "/system_ext/priv-app",
    "/product/app", "/product/priv-app", "/product/overlay", "/apex",
)  # fmt: skip
_DATA = "/data/app"
_SYSTEM_UID = 1000
_FOLDER, _FILE = stat.S_IFDIR | 0o755, stat.S_IFREG | 0o644
_FIRST_INODE = 1 << 21


class UploadedApks:
    """The files from which apps were installed, by package; the phone keeps what it was given."""

    def __init__(self) -> None:
        self._files: dict[str, IO[bytes]] = {}

    def keep(self, package: str, file: IO[bytes]) -> None:
        """Keep the file of a package, in the place of an earlier one."""
        self.forget(package)
        self._files[package] = file

    def forget(self, package: str) -> None:
        if (file := self._files.pop(package, None)) is not None:
            file.close()

    def read(self, package: str) -> bytes | None:
        """The file of a package; None for one that did not come as an APK."""
        file = self._files.get(package)
        if file is None:
            return None
        file.seek(0)
        return file.read()

    def close(self) -> None:
        for package in list(self._files):
            self.forget(package)


def install_package_files(files: Files, phone: Phone, uploaded: UploadedApks) -> None:
    """Let the file system have the folders and files of the packages."""

    def content(package: PackageInfo) -> bytes:
        from collector.virtual.apk.package_apk import package_apk

        kept = uploaded.read(package.package)
        if kept is not None:
            return kept
        app = phone.services.packages.app(package.package)
        return package_apk(package, app, phone.profile.sdk, phone.profile.android)

    for root in _SYSTEM_ROOTS:
        entry = files.install(root, mode=_FOLDER)
        entry.fill = partial(_below, root, phone, content)
    data = files.install(_DATA, mode=stat.S_IFDIR | 0o771)
    data.uid = data.gid = _SYSTEM_UID
    # A shell cannot list this folder, but reads what is in it: apps come and go.
    data.find = lambda name: _below(_DATA, phone, content).get(name)


def _below(root: str, phone: Phone, content: Callable[[PackageInfo], bytes]) -> dict[str, FileEntry]:
    """The entries of a folder: those on the paths of packages in it."""
    top = FileEntry(_FOLDER)
    for package in phone.packages:
        if package.apk.startswith(f"{root}/"):
            _put(top, package.apk.removeprefix(f"{root}/").split("/"), partial(content, package), package.uid)
    return top.children


def _put(folder: FileEntry, names: Iterable[str], make: Callable[[], bytes], number: int) -> None:
    *folders, name = names
    for part in folders:
        folder = folder.children.setdefault(part, FileEntry(_FOLDER, inode=_FIRST_INODE))
    folder.children[name] = FileEntry(_FILE, inode=_FIRST_INODE + number, make=make)
