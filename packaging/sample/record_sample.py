"""Record the golden trajectories of ``assets/sample`` anew, on virtual phones with fresh data.

    make sample                                   all of them
    python packaging/sample/record_sample.py shop-14     those of one task

Every phone has the default seed and is reset before its recording. The product's own recorder writes the
trajectories; input reaches the phones through ADB.
"""

from __future__ import annotations

import argparse
import contextlib
import datetime as dt
import os
import platform
import shutil
import sys
import threading
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT))

from sample_goldens import GOLDENS, SARA, Golden  # noqa: E402
from sample_phone import APPS, DENSITY, SIZE, operator_at  # noqa: E402

from collector.device.device_info import read_app_versions, read_device_info  # noqa: E402
from collector.device.transport.adb_device import AdbDevice  # noqa: E402
from collector.device.transport.adb_server import AdbServer  # noqa: E402
from collector.host.sockets import free_port  # noqa: E402
from collector.model.task import RESET_PHONE  # noqa: E402
from collector.model.trajectory import TrajectoryHeader  # noqa: E402
from collector.reset.phone_reset import reset_phone  # noqa: E402
from collector.reset.reset_record import ResetPlan, ResetRecord  # noqa: E402
from collector.store.files import lock  # noqa: E402
from collector.store.project.project import Project  # noqa: E402
from collector.virtual.fleet.phone_options import PhoneOptions  # noqa: E402
from collector.virtual.fleet.phone_process import PhoneProcess  # noqa: E402

SAMPLE = ROOT / "assets" / "sample"
MORNING = dt.datetime(2025, 3, 10, 9, 0, tzinfo=dt.UTC)
"""Lin records in the morning, Sara in the afternoon, each task an eighth of an hour after the one before."""
AFTERNOON = dt.timedelta(hours=5)
BETWEEN = dt.timedelta(minutes=7, seconds=30)
THINK_MS = {SARA: 1160}
_THINK_MS = 880
_JOBS = 3
_STOP_SECONDS = 10.0


def record(project: Project, golden: Golden, server: AdbServer) -> Path:
    """Record one golden trajectory in place of the one there; returns its folder."""
    folder = project.paths.trajectories_of(golden.task) / golden.id
    shutil.rmtree(folder, ignore_errors=True)
    start = _start_of(golden)
    options = PhoneOptions(locale=golden.locale, size=SIZE, density=DENSITY, apps=APPS)
    with PhoneProcess(options) as process:
        device = _connected(server, process.wait_ready())
        reset_phone(device, ResetPlan(RESET_PHONE))
        reset = ResetRecord(ResetPlan(RESET_PHONE), start.isoformat(timespec="seconds"))
        info = read_device_info(device)
        header = TrajectoryHeader(
            golden.id, golden.task, who=golden.who, started=start.isoformat(timespec="milliseconds"),
            device={**info.as_dict(), "size": SIZE, "density": DENSITY}, software=_software(),
            extra={"reset": reset.as_dict()},
        )  # fmt: skip
        with project.new_trajectory(header, stores_once=True) as writer:
            with operator_at(device, writer, start, THINK_MS.get(golden.who, _THINK_MS)) as operator:
                golden.act(operator)
                operator.finish()
                end = operator.clock.wall()
            packages = sorted({step.state.package for step in writer.steps if step.state.package})
            writer.update_header(
                apps=read_app_versions(device, packages), finished=end.isoformat(timespec="milliseconds")
            )
    (folder / lock.LOCK_NAME).unlink(missing_ok=True)
    return folder


def _software() -> dict[str, str]:
    """What recorded it, without what differs between two computers."""
    return {"python": f"{sys.version_info.major}.{sys.version_info.minor}", "system": platform.system()}


def _start_of(golden: Golden) -> dt.datetime:
    tasks = list(dict.fromkeys(known.task for known in GOLDENS))
    return (
        MORNING + tasks.index(golden.task) * BETWEEN + (AFTERNOON if golden.who == SARA else dt.timedelta())
    )


def _connected(server: AdbServer, address: str) -> AdbDevice:
    server.connect(address)
    return AdbDevice(address, server)


@contextlib.contextmanager
def private_server() -> Iterator[AdbServer]:
    """An adb server of its own, so that nothing else on this computer sees the phones."""
    port = free_port()
    os.environ |= {
        "ANDROID_ADB_SERVER_PORT": str(port),
        "ADB_USB": "0",
        "ADB_LOCAL_TRANSPORT_MAX_PORT": "5553",
    }
    server = AdbServer(port)
    try:
        yield server
    finally:
        server.run_program("kill-server", seconds=_STOP_SECONDS)


def main() -> int:
    """Record what the command line names; returns how many recordings failed."""
    parser = argparse.ArgumentParser(description="Record the golden trajectories of the sample project.")
    parser.add_argument("only", nargs="*", metavar="TASK", help="tasks or trajectories; all when left out")
    parser.add_argument("--into", type=Path, default=SAMPLE, help="a project with the tasks of the sample")
    parser.add_argument("--jobs", type=int, default=_JOBS, help="phones at the same time")
    chosen = parser.parse_args()
    goldens = [one for one in GOLDENS if not chosen.only or {one.task, one.id} & set(chosen.only)]
    project, failed, said = Project.open(chosen.into), list[str](), threading.Lock()
    with private_server() as server, ThreadPoolExecutor(chosen.jobs) as pool:
        server.ensure()

        def work(golden: Golden) -> None:
            began = time.monotonic()
            try:
                folder = record(project, golden, server)
                line = f"{sum(path.stat().st_size for path in folder.rglob('*') if path.is_file()):9,} bytes"
            except Exception as error:  # noqa: BLE001 - the others are recorded all the same
                failed.append(golden.id)
                line = f"FAILED: {type(error).__name__}: {error}"
            with said:
                print(f"{golden.id:20} {time.monotonic() - began:6.1f} s  {line}", flush=True)

        list(pool.map(work, goldens))
    return len(failed)


if __name__ == "__main__":
    sys.exit(main())
