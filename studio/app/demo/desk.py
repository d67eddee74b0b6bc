"""The demonstration on a desk: what the window is asked to do when it opens."""

from __future__ import annotations

from studio.app.main import Options

DESK = Options(commands=("project.open-sample", "device.start-virtual", "view.record"))
"""The sample project, a running phone, and the place to record: the same words a person would choose."""
