"""``dumpsys device_policy``, ``jobscheduler``, ``statusbar``, ``role`` and ``trust``."""

from __future__ import annotations

from collector.virtual.android_versions import ANDROID_12
from collector.virtual.shell.process import Process
from collector.virtual.ui.effects import ACTION_MAIN, ACTION_VIEW, Intent

_CATEGORY_HOME = "android.intent.category.HOME"


def dump_device_policy(process: Process, words: list[str]) -> int:
    """Nobody administers the phone."""
    del words
    process.line("Current Device Policy Manager state:")
    if process.machine.phone.profile.sdk >= ANDROID_12:
        process.out(
            "  Immutable state:\n    mHasFeature=true\n    mIsWatch=false\n    mIsAutomotive=false\n"
            "    mHasTelephonyFeature=true\n    mSafetyChecker=null\n"
        )
    process.out(
        "  Enabled Device Admins (User 0, provisioningState: 0):\n    mPasswordOwner=-1\n"
        "    mPasswordTokenHandle=0\n  Encryption Status: per-user\n  Logout user: -10000\n"
    )
    return 0


def dump_jobs(process: Process, words: list[str]) -> int:
    """No job is registered: the apps of this phone do their work when they are opened."""
    del words
    supply = process.machine.phone.services.power.supply
    awake, plugged = (str(value).lower() for value in (process.machine.phone.awake, supply.plugged))
    process.out(
        "Settings:\n  min_ready_non_active_jobs_count=5\n  heavy_use_factor=0.9\n\n"
        f"  Battery charging: {plugged}\n  Battery not low: {str(supply.level > 15).lower()}\n\n"
        "Registered 0 jobs:\n  None.\n\n"
        f"Connectivity:\n\nAlarms:\n\nDevice idle: false\nInteractive: {awake}\n\n"
        "Pending queue:\n\nActive jobs:\n\n  mReadyToRock=true\n  mReportedActive=false\n"
    )
    return 0


def dump_status_bar(process: Process, words: list[str]) -> int:
    """Nothing of the status bar is disabled."""
    del words
    process.out(
        "  displayId=0\n    mDisabled1=0x0\n    mDisabled2=0x0\n  mDisableRecords.size=0\n"
        "  mCurrentUserId=0\n  mIcons=\n"
    )
    for number, name in enumerate(STATUS_ICONS):
        process.line(f"    {number} -> (none, null) {name}")
    return 0


STATUS_ICONS = (
    "alarm_clock",
    "location",
    "bluetooth",
    "phone_evdo_signal",
    "mobile",
    "wifi",
    "airplane",
    "battery",
    "clock",
)


def dump_roles(process: Process, words: list[str]) -> int:
    """The app that has each role: the one that answers the role's intent first."""
    del words
    holders = role_holders(process)
    process.line("user_states=[\n  {\n    user_id=0\n    version=9\n    roles=[")
    for role, package in holders.items():
        holder = f"        holders={package}\n" if package else ""
        name = f"        name=android.app.role.{role}\n        fallback_enabled=true\n"
        process.out(f"      {{\n{name}{holder}      }}\n")
    process.line("    ]\n  }\n]")
    return 0


def role_holders(process: Process) -> dict[str, str]:
    """Packages by role; empty where no app has it."""
    phone = process.machine.phone

    def first(intent: Intent) -> str:
        return next((found.package.package for found in phone.query_activities(intent)), "")

    home = next((package.package for package in phone.packages if package.is_home), "")
    return {
        "ASSISTANT": "",
        "BROWSER": first(Intent(ACTION_VIEW, data="https://example.com")),
        "DIALER": first(Intent("android.intent.action.DIAL", data="tel:5551234")) or "com.android.dialer",
        "EMERGENCY": "com.android.emergency",
        "GALLERY": first(Intent(ACTION_MAIN, categories=("android.intent.category.APP_GALLERY",))),
        "HOME": home,
        "SMS": phone.settings.get("secure", "sms_default_application") or "",
    }


def dump_trust(process: Process, words: list[str]) -> int:
    """Whether the phone of its owner is locked; nothing is trusted to open it."""
    del words
    locked = int(process.machine.phone.services.lock_screen.locked)
    process.out(
        'Trust manager state:\n User "Owner" (id=0, flags=0xc13) (current): trustState=UNTRUSTED, '
        f"trustManaged=0, deviceLocked={locked}, isActiveUnlockRunning=0, strongAuthRequired=0x0\n"
        "   Enabled agents:\n   Events:\n"
    )
    return 0


def dump_nothing(process: Process, words: list[str]) -> int:
    """A service of which this phone knows nothing to print, as many print nothing to a shell."""
    del process, words
    return 0
