"""The only place where other threads meet Qt: events become signals, work runs behind the window."""

from studio.bridge.event_bridge import EventBridge, Wake
from studio.bridge.jobs import Job, JobRunner

__all__ = ["EventBridge", "Job", "JobRunner", "Wake"]
