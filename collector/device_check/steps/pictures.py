"""Single pictures of the screen."""

from __future__ import annotations

import time

from collector.device.device_info import read_foreground
from collector.device.errors import CallCancelled, DeviceError
from collector.device.video.screencap_source import take_screenshot
from collector.device_check.settings_app import open_settings_app
from collector.device_check.step import CheckStep, CheckStepRun
from collector.model.i18n import _

_TIMES = 4


class PicturesStep(CheckStep):
    """Takes screenshots of the settings app."""

    id = "pictures"

    @property
    def title(self) -> str:
        return _("Screenshots")

    def run(self, run: CheckStepRun) -> None:
        open_settings_app(run)
        taken = []
        try:
            for _picture in range(_TIMES):
                began = time.perf_counter()
                frame = take_screenshot(run.device, run.cancel)
                frame.rgb()  # whether it can be decoded
                taken.append((time.perf_counter() - began) * 1000)
        except CallCancelled:
            raise
        except DeviceError as error:
            run.lacks("pictures.screencap", str(error))
            return
        milliseconds = sorted(taken)[len(taken) // 2]
        run.observe("screencap.ms", f"{milliseconds:.0f}")
        run.measure("screencap", milliseconds, "ms")
        run.measure("picture_size", str(frame.size))
        if frame.looks_black and not read_foreground(run.device).secure:
            run.lacks("pictures.screencap", _("Screenshots are black although no window is protected"))
        else:
            run.works("pictures.screencap")
