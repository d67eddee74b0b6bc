"""The connection to a Ray cluster, whose phones are its resources. Ray is imported here, on first use."""

from __future__ import annotations

import contextlib
import importlib.util
import logging
import os
import signal
import threading
from collections.abc import Iterator
from types import ModuleType
from typing import Any

from collector.host.environment import SAFE_PATH, make_environment_safe
from collector.host.extras import how_to_add
from collector.host.sockets import connect
from collector.host.user_folders import runtime_folder
from collector.model.errors import UserError
from collector.model.i18n import _

PHONE_RESOURCE = "waymark_phone"
"""The resource of Ray that is one phone."""
LOCAL = "local"
"""The address that starts a cluster on this computer alone."""
_QUIET = {
    # No report of usage to Ray's authors, and no notes on accelerators that no phone needs.
    "RAY_USAGE_STATS_ENABLED": "0",
    "RAY_ACCEL_ENV_VAR_OVERRIDE_ON_ZERO": "0",
    # Ray has no other way to hand a variable to the processes that it starts.
    SAFE_PATH: "1",
}
_CONNECT_SECONDS = 5.0
_log = logging.getLogger(__name__)


class RayCluster:
    """This process as the head's driver of a cluster, until :meth:`close`."""

    def __init__(self, address: str, local_phones: int = 0) -> None:
        """Connect to ``auto``, ``HOST:PORT``, or LOCAL for ``local_phones`` here. Raises UserError."""
        self.ray: Any = load_ray()
        _require_listening(address)
        if self.ray.is_initialized():
            raise UserError(_("This process is connected to a Ray cluster already"))
        options: dict[str, Any] = {"address": address}
        if address == LOCAL:
            options = {
                "address": LOCAL, "num_cpus": max(1, local_phones), "include_dashboard": False,
                "resources": {PHONE_RESOURCE: local_phones},
            }  # fmt: skip
        try:
            # Ray adds the current folder to the import path of every worker, on each machine.
            make_environment_safe()
            with _kept_signals(), contextlib.chdir(runtime_folder()):
                self.ray.init(
                    **options, namespace="waymark", log_to_driver=False, configure_logging=False,
                    ignore_reinit_error=False,
                )  # fmt: skip
        except (ConnectionError, RuntimeError, ValueError, OSError, TimeoutError) as error:
            raise _not_connected(address, error) from error
        _print_nothing()

    @property
    def phones(self) -> int:
        """How many phones the machines of the cluster declare now."""
        return int(self.ray.cluster_resources().get(PHONE_RESOURCE, 0))

    def close(self) -> None:
        """Leave the cluster; what was started in it for this process ends."""
        self.ray.shutdown()


def fetch(reference: Any) -> bytes:
    """Get what was put into the object store, on any machine; ``reference`` is a list with its reference."""
    data: bytes = load_ray().get(reference[0])
    return data


def has_ray() -> bool:
    """Whether the extra is installed; imports nothing."""
    return importlib.util.find_spec("ray") is not None


def load_ray() -> ModuleType:
    """Import Ray. Raises UserError when it is not installed."""
    for name, value in _QUIET.items():
        os.environ.setdefault(name, value)
    try:
        import ray
    except ImportError as error:
        raise UserError(
            _("Ray is not installed"),
            str(error) if has_ray() else _("every machine of the run needs it"),
            how_to_add("ray"),
        ) from error
    loaded: ModuleType = ray
    return loaded


@contextlib.contextmanager
def _kept_signals() -> Iterator[None]:
    """Keep this program's handlers: Ray sets one of its own for SIGTERM, which would end a run at once."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    handlers = {number: signal.getsignal(number) for number in (signal.SIGTERM, signal.SIGINT)}
    try:
        yield
    finally:
        for number, handler in handlers.items():
            if handler is not None:
                signal.signal(number, handler)


def _print_nothing() -> None:
    """Keep Ray from printing to standard output, as it does when a machine dies, whatever its options say.

    There is no public way. Where Ray has changed, its messages are printed.
    """
    with contextlib.suppress(ImportError, AttributeError):
        from ray._private import worker

        def log(data: Any, ignore_prefix: bool) -> None:  # noqa: ARG001 - Ray's signature
            _log.info("ray: %s", "\n".join(map(str, data.get("lines", ())))[:2000])

        if callable(worker.print_to_stdstream):
            worker.print_to_stdstream = log


def _require_listening(address: str) -> None:
    """Raise UserError when nothing listens at ``HOST:PORT``; Ray itself would wait for many minutes."""
    host, colon, port = address.rpartition(":")
    if not colon or "://" in address or not port.isdecimal():
        return
    try:
        connect(int(port), _CONNECT_SECONDS, host).close()
    except (OSError, OverflowError) as error:
        raise _not_connected(address, error) from error


def _not_connected(address: str, error: Exception) -> UserError:
    lines = str(error).strip().splitlines()
    return UserError(
        _("The Ray cluster at {address} cannot be reached", address=address),
        lines[0].rstrip(".") if lines else type(error).__name__,
        _("Start its head with: ray start --head, and use the same versions of Python and Ray everywhere"),
    )
