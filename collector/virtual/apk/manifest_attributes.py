"""The resource ids of the attributes of manifests: ``android.R.attr``."""

from __future__ import annotations

LABEL, ICON, NAME = 0x01010001, 0x01010002, 0x01010003
HAS_CODE, DEBUGGABLE, EXPORTED = 0x0101000C, 0x0101000F, 0x01010010
LAUNCH_MODE = 0x0101001D
MIME_TYPE = 0x01010026
SCHEME = 0x01010027
MIN_SDK = 0x0101020C
VERSION_CODE, VERSION_NAME = 0x0101021B, 0x0101021C
TARGET_SDK = 0x01010270
TEST_ONLY = 0x01010272
ALLOW_BACKUP, SUPPORTS_RTL = 0x01010280, 0x010103AF
COMPILE_SDK, COMPILE_CODENAME = 0x01010572, 0x01010573
NAMES = {
    LABEL: "label",
    ICON: "icon",
    NAME: "name",
    HAS_CODE: "hasCode",
    DEBUGGABLE: "debuggable",
    EXPORTED: "exported",
    LAUNCH_MODE: "launchMode",
    MIME_TYPE: "mimeType",
    SCHEME: "scheme",
    MIN_SDK: "minSdkVersion",
    VERSION_CODE: "versionCode",
    VERSION_NAME: "versionName",
    TARGET_SDK: "targetSdkVersion",
    TEST_ONLY: "testOnly",
    ALLOW_BACKUP: "allowBackup",
    SUPPORTS_RTL: "supportsRtl",
    COMPILE_SDK: "compileSdkVersion",
    COMPILE_CODENAME: "compileSdkVersionCodename",
}
"""The name of each."""
