"""The phone's system services, made once and handed around together."""

from __future__ import annotations

from collector.virtual.system.languages import Languages
from collector.virtual.system.permissions import Permissions
from collector.virtual.system.power import Power
from collector.virtual.system.processes import Processes
from collector.virtual.system.prompts import Prompts
from collector.virtual.system.radios import Radios
from collector.virtual.system.runner import Runner
from collector.virtual.system.state import SystemState
from collector.virtual.system.storage import Storage
from collector.virtual.system.telephony import Telephony


class Services:
    """Each may be used from any thread."""

    def __init__(self, state: SystemState, runner: Runner) -> None:
        self.prompts = prompts = Prompts(state, runner)
        self.notices = runner.notices
        self.power = Power(state, self.notices, prompts, runner)
        self.radios = Radios(state)
        self.processes = Processes(state, runner, prompts)
        self.permissions = Permissions(state, runner, prompts)
        self.telephony = Telephony(state, self.notices, prompts, runner)
        self.storage = Storage(state, self.notices)
        self.languages = Languages(state)
        runner.switch_airplane = self.radios.set_airplane
