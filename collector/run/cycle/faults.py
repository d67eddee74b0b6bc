"""The faults that end an episode without the agent's doing: in words, and what they mean for the phone."""

from __future__ import annotations

from dataclasses import dataclass

from collector.agents.agent import AgentUnavailable
from collector.agents.agent_trust import UntrustedAgent
from collector.anomalies.errors import AnomalyError, PhoneInUse
from collector.device.errors import ABSENT, CallCancelled, DeviceError
from collector.device.protocols import Device
from collector.model.errors import UserError
from collector.model.i18n import _
from collector.replay.action_executor import ActionNeedsSetup
from collector.replay.replay_to_step import PhoneElsewhere, StepNotDone
from collector.reset.reset_plan import UntrustedReset
from collector.rules.grammar.errors import RuleError
from collector.run.cycle.agent_thread import AgentFailed
from collector.run.cycle.episode_phone import UnsuitablePhone
from collector.run.cycle.steering.episode_control import EpisodeControl
from collector.store.files.errors import StoreError

_PING_S = 2.0
_ELSEWHERE = (AgentUnavailable, AgentFailed, StoreError)
"""Faults of the agent, of its endpoint or program, and of the disk."""
_LASTING = (
    RuleError, AnomalyError, UntrustedReset, UntrustedAgent, UnsuitablePhone, ActionNeedsSetup,
    PhoneElsewhere, StepNotDone,
)  # fmt: skip
"""Faults of the experiment, the project or the phone that the next attempt meets, too."""


@dataclass(frozen=True, slots=True)
class Fault:
    """Why an episode ended, in a sentence."""

    sentence: str
    phone_is_usable: bool = True
    """Whether the phone can take the next episode without a restart."""
    phone_is_gone: bool = False
    phone_is_suspect: bool = True
    """Whether the phone may be to blame, though nothing proves it."""
    may_help_to_retry: bool = True
    """False when another attempt would meet the same."""


def fault_of(error: Exception, device: Device, control: EpisodeControl) -> Fault:
    """The fault that an error is; asks the phone whether it still answers."""
    if control.cancelled.is_set():
        return Fault(control.reason or _("The episode was cancelled"), phone_is_suspect=False)
    if not isinstance(error, UserError):
        kind = type(error).__name__
        return Fault(_("The episode failed: {kind}: {text}", kind=kind, text=str(error)[:300]))
    if isinstance(error, DeviceError) and not isinstance(error, (CallCancelled, ActionNeedsSetup)):
        gone = isinstance(error, ABSENT) or not answers(device)
        return Fault(str(error), phone_is_usable=False, phone_is_gone=gone)
    is_lasting = _is_lasting(error)
    is_elsewhere = is_lasting or isinstance(error, _ELSEWHERE)
    return Fault(str(error), phone_is_suspect=not is_elsewhere, may_help_to_retry=not is_lasting)


def _is_lasting(error: UserError) -> bool:
    """Whether the cause is in the experiment, the project or the phone, and stays."""
    if isinstance(error, (AgentUnavailable, AgentFailed, PhoneInUse)):
        return False
    return isinstance(error, _LASTING)


def answers(device: Device) -> bool:
    """Whether a phone answers within seconds."""
    try:
        device.shell("true", timeout=_PING_S)
    except DeviceError:
        return False
    return True
