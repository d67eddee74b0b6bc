"""Room for files on the phone."""

from __future__ import annotations

from collector.device.health.doctor import LITTLE_STORAGE_KB, free_kilobytes
from collector.device_check.step import CheckStep, CheckStepRun
from collector.model.i18n import _


class StorageStep(CheckStep):
    """Measures the free space where helpers are put."""

    id = "storage"

    @property
    def title(self) -> str:
        return _("Storage")

    def run(self, run: CheckStepRun) -> None:
        free = free_kilobytes(run.device.shell("df /data/local/tmp").text)
        if free is None:
            run.lacks("storage.free", _("The phone does not say how much storage is free"))
            return
        run.measure("free", free // 1024, "MB")
        if free < LITTLE_STORAGE_KB:
            run.lacks("storage.free", _("The phone's storage is nearly full: free 100 MB"))
        else:
            run.works("storage.free")
