"""The phone's system services, created once and passed around together."""

from __future__ import annotations

from collector.virtual.system.languages import AppLanguages
from collector.virtual.system.permissions import Permissions
from collector.virtual.system.power import Power
from collector.virtual.system.processes import Processes
from collector.virtual.system.prompts import Prompts
from collector.virtual.system.radios import Radios
from collector.virtual.system.runner import Runner
from collector.virtual.system.state import SystemState
from collector.virtual.system.storage import Storage
from collector.virtual.system.telephony import Telephony


class SystemServices:
    """All system services. Each may be used from any thread."""

    def __init__(self, state: SystemState, runner: Runner) -> None:
        self.prompts = prompts = Prompts(state, runner)
        self.notices = runner.notices
        self.power = Power(state, self.notices, prompts, runner)
        self.radios = Radios(state)
        self.processes = Processes(state, runner, prompts)
        self.permissions = Permissions(state, runner, prompts)
        self.telephony = Telephony(state, self.notices, prompts, runner)
        self.storage = Storage(state, self.notices)
        self.languages = AppLanguages(state)
        runner.switch_airplane = self.radios.set_airplane
        self._state, self._runner = state, runner

    def restart(self) -> None:
        """Reset what does not survive a restart: processes, dialogs, notifications, calls, and
        overrides of battery, temperature, storage and firewall. Settings, permissions and data
        remain."""
        with self._state.lock:
            for number in self.telephony.calls:
                self.telephony.hang_up(number)
            running = {
                *self._state.processes,
                *(record.app.package for record in self._state.activities.records),
            }
            for package in running:
                self._runner.force_stop(package)
            self._state.prompts = ()
            self.notices.forget()
            self.power.reset()
            self.power.override_thermal(None)
            self.storage.force("UNKNOWN")
            self.radios.forget_cut_off()
            self._state.shade_open = self._state.recents_open = False
            self._state.awake = True
            self._state.touch()
