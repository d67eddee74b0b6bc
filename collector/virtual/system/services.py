"""The phone's system services, created once and passed around together."""

from __future__ import annotations

from collector.virtual.system.activity_manager import ActivityManager
from collector.virtual.system.app_components import AppComponents
from collector.virtual.system.compositor import Compositor
from collector.virtual.system.dialogs.pop_ups import PopUps
from collector.virtual.system.dialogs.prompts import Prompts
from collector.virtual.system.graphics import Graphics
from collector.virtual.system.hardware.location import Location
from collector.virtual.system.hardware.power import Power
from collector.virtual.system.hardware.radios import Radios
from collector.virtual.system.hardware.sensors import Sensors
from collector.virtual.system.hardware.storage import Storage
from collector.virtual.system.hardware.telephony import Telephony
from collector.virtual.system.input.input_method_manager import InputMethodManager
from collector.virtual.system.languages import AppLanguages
from collector.virtual.system.lock.lock_screen import LockScreen
from collector.virtual.system.media.media import Media
from collector.virtual.system.packages import PackageManager
from collector.virtual.system.permissions import Permissions
from collector.virtual.system.phone_state.broadcasts import Broadcasts
from collector.virtual.system.phone_state.state import SystemState
from collector.virtual.system.processes import Processes
from collector.virtual.system.system_windows import SystemWindows
from collector.virtual.system.task_report import TaskReport
from collector.virtual.system.usage_report import UsageReport


class SystemServices:
    """All system services. Each may be used from any thread."""

    def __init__(self, state: SystemState, manager: ActivityManager, compositor: Compositor) -> None:
        self.prompts = prompts = Prompts(state, manager)
        self.notices = manager.notices
        self.power = Power(state, self.notices, prompts, manager)
        self.radios = Radios(state)
        self.location = Location(state, manager, self.radios)
        self.sensors = Sensors(state)
        self.processes = Processes(state, manager, prompts)
        self.permissions = Permissions(state, manager, prompts)
        self.telephony = Telephony(state, self.notices, prompts, manager)
        self.storage = Storage(state, self.notices)
        self.graphics = Graphics(state, manager)
        self.languages = AppLanguages(state)
        self.broadcasts = Broadcasts(lambda: (state.clock.now, state.clock.uptime_ns))
        self.components = AppComponents(state, manager)
        self.broadcasts.register(self.components.receive)
        manager.send_broadcast = self.broadcasts.send
        SystemWindows(state, manager)
        self.input_methods = InputMethodManager(state, manager, prompts)
        self.pop_ups = PopUps(state, manager, prompts)
        self.packages = PackageManager(state, manager, self.permissions, self.input_methods)
        self.usage = UsageReport(state)
        self.tasks = TaskReport(state, compositor)
        self.media = Media(state, manager)
        self.lock_screen = LockScreen(state, manager)
        manager.switch_airplane = self.radios.set_airplane
        self._state, self._manager = state, manager

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
                self._manager.force_stop(package)
            self._state.prompts = ()
            self.processes.forget_crashes()
            self.notices.forget()
            self.power.reset()
            self.power.override_thermal(None)
            self.storage.force("UNKNOWN")
            self.radios.forget_cut_off()
            self._state.shade_open = self._state.recents_open = False
            self._state.set_awake(True)
            self._state.keyguard.lock()
            self._state.touch()
