"""The dialects by id."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from types import MappingProxyType

from collector.agents.translators import (
    agentcpm,
    android_world,
    autoglm,
    computer_use,
    dgara,
    gemini,
    probench,
    qwen,
    ui_tars,
    ui_venus,
)
from collector.agents.translators.dialect import Dialect

DIALECTS: Mapping[str, Dialect] = MappingProxyType({
    dialect.id: dialect
    for dialect in (
        android_world.DIALECT, dgara.DIALECT, probench.DIALECT, qwen.QWEN25, qwen.QWEN3, ui_tars.UI_TARS,
        ui_tars.UI_TARS_15, ui_venus.DIALECT, autoglm.DIALECT, qwen.GUI_OWL, agentcpm.DIALECT,
        computer_use.ANTHROPIC, computer_use.OPENAI, computer_use.GOOGLE, gemini.DIALECT,
        # Models that answer as another family does, under the names a person looks for.
        replace(android_world.DIALECT, id="m3a", title="M3A, AndroidWorld JSON"),
        replace(android_world.DIALECT, id="t3a", title="T3A, AndroidWorld JSON"),
        replace(qwen.QWEN25, id="infigui-r1", title="InfiGUI-R1 mobile_use"),
        replace(qwen.QWEN25, id="ui-genie", title="UI-Genie mobile_use"),
    )
})  # fmt: skip
