"""The tree of the screen, by each way there is."""

from __future__ import annotations

import threading
import time

from collector.device.errors import CallCancelled, DeviceError
from collector.device.protocols import TreeSource
from collector.device.trees.uiautomator2_source import Uiautomator2Source, is_installed
from collector.device.trees.uiautomator_source import UiautomatorSource
from collector.device_check.settings_app import open_settings_app
from collector.device_check.step import CheckStep, CheckStepRun
from collector.model.i18n import _

_TIMES = 3
_JAR = "/data/local/tmp/u2.jar"


class TreesStep(CheckStep):
    """Reads the tree of the settings app with ``uiautomator dump`` and uiautomator2."""

    id = "trees"
    limit_s = 45.0

    @property
    def title(self) -> str:
        return _("UI trees")

    def run(self, run: CheckStepRun) -> None:
        open_settings_app(run)
        _read(run, "uiautomator", UiautomatorSource(run.device))
        if not is_installed():
            run.measure("uiautomator2", _("not installed on this computer"))
            return
        plan_uiautomator2(run)
        _read(run, "uiautomator2", Uiautomator2Source(run.device))


def plan_uiautomator2(run: CheckStepRun) -> None:
    """Plan that the server of uiautomator2 is removed, where there is none yet."""
    if _JAR not in run.device.shell(["ls", _JAR]).text:
        run.changes.plan(_("the server of uiautomator2"), f"rm -f {_JAR}")


def _read(run: CheckStepRun, name: str, source: TreeSource) -> None:
    run.progress(name)
    taken, nodes = [], 0
    try:
        for _tree in range(_TIMES):
            began = time.perf_counter()
            tree = source.snapshot(run.cancel).tree
            taken.append((time.perf_counter() - began) * 1000)
            nodes = len(tree) if tree is not None else 0
    except CallCancelled:
        raise
    except DeviceError as error:
        run.observe(f"{name}.error", str(error))
        run.lacks(f"trees.{name}", str(error))
        return
    finally:
        _close(source)
    milliseconds = sorted(taken)[_TIMES // 2]
    run.observe(f"{name}.ms", f"{milliseconds:.0f}")
    run.measure(f"{name}.tree", milliseconds, "ms")
    run.measure(f"{name}.nodes", nodes)
    run.works(f"trees.{name}")


def _close(source: TreeSource) -> None:
    """Close it on a thread: it may wait for a server that hangs, and a step that is over must end."""
    closing = threading.Thread(target=source.close, name="tree source", daemon=True)
    closing.start()
    closing.join(3)
