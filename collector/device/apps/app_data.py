"""Read what the apps of a phone keep for the person; only the virtual phone says it."""

from __future__ import annotations

import logging

from collector.device.errors import CallCancelled, DeviceError
from collector.device.protocols import Cancel, Device
from collector.model.app_data.collections import AppData
from collector.model.app_data.document import parse_app_data

_COMMAND = "cmd waymark data"
_log = logging.getLogger(__name__)


class AppDataReader:
    """Reads the app data of one phone. One thread at a time."""

    def __init__(self) -> None:
        self._is_known = True
        self._digest = ""
        self._data: AppData | None = None

    def read(self, device: Device, cancel: Cancel | None = None) -> AppData | None:
        """The records of all apps; None when the phone does not give them. Raises CallCancelled.

        A phone that does not know the command is asked once. Data that did not change are not sent again.
        """
        if not self._is_known:
            return None
        try:
            answer = device.shell(
                f"{_COMMAND} --unless {self._digest}" if self._digest else _COMMAND, cancel=cancel
            )
            digest, _line, text = answer.text.partition("\n")
            if len(digest.strip()) != 64:
                self._is_known = False
            elif text.strip():
                self._data, self._digest = parse_app_data(text), digest.strip()
        except CallCancelled:
            raise
        except (DeviceError, ValueError) as error:
            _log.info("the data of apps could not be read: %s", error)
            return None
        return self._data
