"""The words of ``--executor``: where the episodes of a run are run."""

from __future__ import annotations

LOCAL, PROCESS, RAY = "local", "process", "ray"
EXECUTORS = (LOCAL, PROCESS, RAY)
