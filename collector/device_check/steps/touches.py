"""Touches on the phone itself: whether the phone reports them, and how they lie on the screen."""

from __future__ import annotations

from collector.adb.getevent import parse_devices
from collector.adb.touch_events import on_screen
from collector.device.input.getevent_listener import GeteventListener
from collector.device_check.step import CheckStep, CheckStepRun
from collector.model.geometry import Size
from collector.model.i18n import _

_HEARD_S = 6.0
_X, _Y = 0x35, 0x36


class TouchesStep(CheckStep):
    """Reads the touchscreens of ``getevent`` and listens to them."""

    id = "touches"

    @property
    def title(self) -> str:
        return _("Touches on the phone itself")

    def run(self, run: CheckStepRun) -> None:
        text = run.observe("getevent", run.device.shell("getevent -lp").text)
        devices = parse_devices(text)
        screens = [device for device in devices if device.is_touchscreen]
        run.measure("touchscreens", len(screens))
        run.measure("pens", sum(device.is_pen for device in devices))
        if not screens:
            run.lacks(
                "touches.read",
                _("Touches on the phone itself are not recorded: the phone does not report its touchscreen"),
            )
            return
        screen = screens[0]
        axes = [screen.axes[axis] for axis in (_X, _Y)]
        run.measure("touch_range", " × ".join(f"{least} to {most}" for least, most in axes))
        run.measure("touch_protocol", "B" if screen.has_slots else "A")
        size, rotation = run.display.size, run.display.rotation
        run.measure("rotation", rotation * 90, "°")
        corner = on_screen(axes[0][1], axes[1][1], screen, size, rotation)
        run.measure("last_corner", f"{corner.x}, {corner.y}")
        if _is_heard(run, size, rotation):
            run.works("touches.read")
        else:
            run.lacks(
                "touches.read", _("The phone names its touchscreen, and does not let it be listened to")
            )


def _is_heard(run: CheckStepRun, size: Size, rotation: int) -> bool:
    listener = GeteventListener(run.device, lambda: (size, rotation))
    listener.start()
    try:
        return listener.wait_ready(_HEARD_S)
    finally:
        listener.close()
