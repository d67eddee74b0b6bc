"""The processes that run on every phone, whatever apps do."""

from __future__ import annotations

from dataclasses import dataclass

from collector.virtual.system.phone_state.state import SYSTEM_PID

INIT, KTHREADD, ZYGOTE, ADBD = 1, 2, 310, 480
SYSTEM_SERVER = SYSTEM_PID


@dataclass(frozen=True, slots=True)
class SystemProcess:
    """A process of the system: ``uid`` of its user, memory in kB, and CPU time in ms for each second."""

    pid: int
    parent: int
    user: str
    uid: int
    name: str
    pss: int
    user_ms: float
    system_ms: float
    adjustment: int = -1000
    """Its place in the order in which Android ends processes (``oom_score_adj``)."""


SYSTEM_PROCESSES = (
    SystemProcess(INIT, 0, "root", 0, "init", 4210, 0.05, 0.1),
    SystemProcess(KTHREADD, 0, "root", 0, "[kthreadd]", 0, 0.0, 0.05, 0),
    SystemProcess(9, KTHREADD, "root", 0, "[ksoftirqd/0]", 0, 0.0, 0.4, 0),
    SystemProcess(10, KTHREADD, "root", 0, "[rcu_preempt]", 0, 0.0, 0.6, 0),
    SystemProcess(66, KTHREADD, "root", 0, "[kswapd0]", 0, 0.0, 0.2, 0),
    SystemProcess(118, KTHREADD, "root", 0, "[kworker/0:1-events]", 0, 0.0, 0.5, 0),
    SystemProcess(196, INIT, "root", 0, "ueventd", 2310, 0.02, 0.05),
    SystemProcess(214, INIT, "logd", 1036, "logd", 5870, 0.6, 0.5),
    SystemProcess(215, INIT, "lmkd", 1069, "lmkd", 1980, 0.02, 0.06),
    SystemProcess(216, INIT, "system", 1000, "servicemanager", 2940, 0.4, 0.5),
    SystemProcess(217, INIT, "system", 1000, "hwservicemanager", 2680, 0.03, 0.03),
    SystemProcess(222, INIT, "root", 0, "vold", 4120, 0.02, 0.02),
    SystemProcess(ZYGOTE, INIT, "root", 0, "zygote64", 52340, 0.05, 0.05),
    SystemProcess(325, INIT, "root", 0, "netd", 6470, 0.1, 0.1),
    SystemProcess(372, INIT, "audioserver", 1041, "audioserver", 11240, 0.5, 0.4),
    SystemProcess(390, INIT, "cameraserver", 1047, "cameraserver", 8660, 0.02, 0.02),
    SystemProcess(398, INIT, "keystore", 1017, "keystore2", 6240, 0.02, 0.02),
    SystemProcess(412, INIT, "media", 1013, "mediaserver", 7350, 0.03, 0.03),
    SystemProcess(420, INIT, "system", 1000, "surfaceflinger", 38950, 3.0, 2.5),
    SystemProcess(ADBD, INIT, "shell", 2000, "adbd", 6230, 0.8, 1.2),
    SystemProcess(497, INIT, "wifi", 1010, "wpa_supplicant", 7120, 0.1, 0.1),
    SystemProcess(SYSTEM_SERVER, ZYGOTE, "system", 1000, "system_server", 243_180, 8.0, 5.0, -900),
    SystemProcess(1688, ZYGOTE, "u0_a100", 10100, "com.android.systemui", 121_460, 2.0, 1.0, -800),
    SystemProcess(1750, ZYGOTE, "radio", 1001, "com.android.phone", 43_720, 0.3, 0.2, -800),
    SystemProcess(1772, ZYGOTE, "u0_a110", 10110, "com.android.inputmethod.latin", 38_510, 0.2, 0.1, 100),
)
