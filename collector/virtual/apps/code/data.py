"""What the code editor keeps for the person, as records."""

from __future__ import annotations

from collector.model.app_data.collections import AppData
from collector.virtual.apps.code.state import CodeState


def data_of(state: CodeState) -> AppData:
    """The files as they are saved, and the folders."""
    files = [{"path": file.path, "text": file.text} for file in state.files]
    return {"code.files": files, "code.folders": [{"path": path} for path in state.folders]}
