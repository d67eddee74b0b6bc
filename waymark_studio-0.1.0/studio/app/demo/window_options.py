"""Options of the demo window on a machine with a screen."""

from __future__ import annotations

from studio.app.main import Options

DEMO_OPTIONS = Options(commands=("project.open-sample", "device.start-virtual", "view.record"))
"""Open the sample project, start a virtual phone and go to Record."""
