"""The only place where other threads meet Qt: events become signals, work runs behind the window."""

from studio.bridge.events import EventBridge, Wake
from studio.bridge.tasks import Job, TaskRunner

__all__ = ["EventBridge", "Job", "TaskRunner", "Wake"]
