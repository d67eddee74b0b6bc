"""The dialects by id."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from collector.agents.translators import (
    agentcpm,
    android_world,
    autoglm,
    computer_use,
    dgara,
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
        computer_use.ANTHROPIC, computer_use.OPENAI, computer_use.GOOGLE,
    )
})  # fmt: skip
