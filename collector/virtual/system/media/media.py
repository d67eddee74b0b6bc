"""The camera and the shared storage: what apps ask of them."""

from __future__ import annotations

import errno
import os
import threading
from collections.abc import Callable
from typing import Any

from collector.virtual.system.activity_manager import ActivityManager
from collector.virtual.system.media.exif import with_exif
from collector.virtual.system.phone_state.state import SystemState
from collector.virtual.ui.app import App
from collector.virtual.ui.drawing.pictures import encoded
from collector.virtual.ui.effects import (
    MakeFolder,
    MediaEffect,
    MoveFile,
    RemoveFile,
    TakePicture,
    WriteFile,
)
from collector.virtual.ui.shared_files import SHARED, SharedStorage, file_at, path_of

CAMERA_FOLDER = f"{SHARED}/DCIM/Camera"
PICTURE_SIZE = (1200, 1600)
"""Px of a picture that the camera takes while the phone is upright."""
_QUALITY = 90


class Media:
    """Takes pictures and keeps files. The phone's lock protects it."""

    def __init__(self, state: SystemState, manager: ActivityManager) -> None:
        self._state, self._manager = state, manager
        manager.media = self._perform

    @property
    def lock(self) -> threading.RLock:
        """The phone's lock, for the file system that apps reach while they hold it."""
        return self._state.lock

    def mount(self, storage: SharedStorage) -> None:
        """Give the apps a shared storage."""
        with self._state.lock:
            self._state.storage = storage
            self._state.touch()

    def note_change(self) -> None:
        """Draw again what shows the files of the shared storage."""
        with self._state.lock:
            self._state.touch()

    def _perform(self, app: App[Any], effect: MediaEffect) -> None:
        _ACTS[type(effect)](self, app, effect)

    def _take(self, app: App[Any], effect: TakePicture) -> None:
        state, when = self._state, self._state.clock.now
        names = {file.path for file in state.storage.files()}
        stem = path = f"{CAMERA_FOLDER}/IMG_{when:%Y%m%d_%H%M%S}"
        size = PICTURE_SIZE if state.size.height >= state.size.width else PICTURE_SIZE[::-1]
        number = 0
        while f"{path}.jpg" in names:
            number += 1
            path = f"{stem}_{number}"
        picture = with_exif(
            encoded("camera_scene", effect.scene, *size, _QUALITY),
            {"maker": state.profile.manufacturer, "model": state.profile.model},
            when,
            size,
        )
        try:
            state.storage.write(f"{path}.jpg", picture)
        except OSError as error:
            state.write_log("E", "CAM_MediaSaverService", f"Failed to write image: {error.strerror}")
            path = ""
        else:
            state.write_log("I", "CAM_MediaSaverService", f"Saved {path}.jpg, {len(picture)} bytes")
        self._manager.send_to(app, effect.on_taken.with_value(f"{path}.jpg" if path else ""))

    def _remove(self, app: App[Any], effect: RemoveFile) -> None:
        self._try(app, lambda: self._state.storage.remove(effect.path))

    def _move(self, app: App[Any], effect: MoveFile) -> None:
        storage, log = self._state.storage, self._state.write_log
        known = file_at(storage.files(), effect.uri)
        path = known.path if known is not None else path_of(effect.uri)
        try:
            if not path.startswith(f"{SHARED}/"):
                raise PermissionError(errno.EACCES, os.strerror(errno.EACCES), path)
            storage.write(path, storage.read(effect.path))
            storage.remove(effect.path)
        except OSError as error:
            log("W", "CAM_PhotoModule", f"exception saving result to URI: {effect.uri}: {error.strerror}")
            self._manager.send_to(app, effect.on_moved.with_value(False))
        else:
            log("V", "CAM_PhotoModule", f"saved result to URI: {effect.uri}")
            self._manager.send_to(app, effect.on_moved.with_value(True))

    def _make_folder(self, app: App[Any], effect: MakeFolder) -> None:
        self._try(app, lambda: self._state.storage.make_folder(effect.path))

    def _write(self, app: App[Any], effect: WriteFile) -> None:
        self._try(app, lambda: self._state.storage.write(effect.path, effect.text.encode()))

    def _try(self, app: App[Any], act: Callable[[], None]) -> None:
        try:
            act()
        except OSError as error:
            pid = self._state.pid(app.package)
            self._state.write_log("W", "ExternalStorage", f"{error.filename}: {error.strerror}", pid)


_ACTS: dict[type, Callable[[Media, App[Any], Any], None]] = {
    TakePicture: Media._take,
    RemoveFile: Media._remove,
    MoveFile: Media._move,
    MakeFolder: Media._make_folder,
    WriteFile: Media._write,
}
