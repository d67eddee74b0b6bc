"""``dumpsys activity services``, ``service`` and ``providers``: what the phone's parts run and publish."""

from __future__ import annotations

from dataclasses import dataclass

from collector.virtual.android_versions import ANDROID_9
from collector.virtual.shell.commands.dumpsys.activity.processes import app_rows, elapsed, record_of
from collector.virtual.shell.commands.dumpsys.window.records import hash_code
from collector.virtual.shell.proc import ProcessRow
from collector.virtual.shell.process import Process
from collector.virtual.system.phone import Phone
from collector.virtual.system.phone_state.input_log import window_token
from collector.virtual.system.windows.input_methods import method_in_use

_SYSTEM_UI = "com.android.systemui"
_PHONE = "com.android.phone"


@dataclass(frozen=True, slots=True)
class _Service:
    """A running service: its component in short form, action, process and who is bound to it."""

    component: str
    action: str
    row: ProcessRow
    bound: bool

    @property
    def package(self) -> str:
        return self.component.partition("/")[0]

    @property
    def record(self) -> str:
        return f"ServiceRecord{{{window_token(f'service {self.component}')} u0 {self.component}}}"


@dataclass(frozen=True, slots=True)
class _Provider:
    component: str
    authority: str
    row: ProcessRow

    @property
    def record(self) -> str:
        return f"ContentProviderRecord{{{window_token(f'provider {self.authority}')} u0 {self.component}}}"


def _services(process: Process) -> list[_Service]:
    """The services that run: of the status bar, the keyboard in use, the wallpaper and calls."""
    phone = process.machine.phone
    rows = {row.name: row for row in app_rows(process)}
    packages = set(phone.services.packages.uids)
    method = method_in_use(phone.services.input_methods.current, packages)
    system_ui, telephone = rows[_SYSTEM_UI], rows[_PHONE]
    found = [
        _Service(f"{_SYSTEM_UI}/.SystemUIService", "", system_ui, bound=False),
        _Service(
            f"{_SYSTEM_UI}/.wallpapers.ImageWallpaper",
            "android.service.wallpaper.WallpaperService",
            system_ui,
            True,
        ),
        _Service(
            method.id, "android.view.InputMethod", rows.get(method.package, rows["system_server"]), True
        ),
        _Service(f"{_PHONE}/.TelephonyDebugService", "", telephone, bound=False),
    ]
    if phone.services.telephony.calls:
        found.append(_Service(f"{_PHONE}/com.android.services.telephony.TelephonyConnectionService",
                              "android.telecom.ConnectionService", telephone, True))  # fmt: skip
    return found


def dump_services(process: Process, words: list[str]) -> None:
    """The running services, or those of a package or with a part of their name."""
    phone = process.machine.phone
    name = next((word for word in words if not word.startswith("-")), "")
    process.line("ACTIVITY MANAGER SERVICES (dumpsys activity services)")
    found = [
        service
        for service in _services(process)
        if name in ("", "all", service.package) or ("." in name and name in service.component)
    ]
    if not found:
        process.line("  (nothing)")
        return
    process.line("  User 0 active services:")
    for service in found:
        process.line(f"  * {service.record}")
        process.out("".join(f"    {line}\n" for line in _described(phone, service)) + "\n")
    if not name:
        process.line("  Connection bindings to services:")
        for service in found:
            if service.bound:
                process.line(f"  * {_connection(service)}")


def _connection(service: _Service) -> str:
    record = window_token(f"connection {service.component}")
    return f"ConnectionRecord{{{record} u0 CR {service.component}:@{hash_code(service.component)}}}"


def _described(phone: Phone, service: _Service) -> list[str]:
    apk = next((info.apk for info in phone.packages if info.package == service.package), "")
    action = f"act={service.action} " if service.action else ""
    age = elapsed((phone.clock.uptime_ns - service.row.started_ns) // 1_000_000)
    lines = [
        f"intent={{{action}cmp={service.component}}}",
        f"packageName={service.package}",
        f"processName={service.row.name}",
    ]
    if service.bound:
        lines.append("permission=android.permission.BIND_INPUT_METHOD" if "InputMethod" in service.action else
                     "permission=android.permission.BIND_WALLPAPER")  # fmt: skip
    starting = "startingBgTimeout=--" if phone.profile.sdk >= ANDROID_9 else ""
    lines += [
        f"baseDir={apk}",
        f"dataDir=/data/user/0/{service.package}",
        f"app={record_of(service.row)}",
        f"createTime=-{age} {starting}".rstrip(),
        f"lastActivity=-{age} restartTime=-{age} createdFromFg=true",
    ]
    if not service.bound:
        return [
            *lines,
            "startRequested=true delayedStop=false stopIfKilled=false callStart=true lastStartId=1",
        ]
    return [
        *lines,
        "Bindings:",
        f"* IntentBindRecord{{{window_token(f'bind {service.component}')} CREATE}}:",
        f"  intent={{{action}cmp={service.component}}}",
        f"  binder=android.os.BinderProxy@{hash_code(f'binder {service.component}')}",
        "  requested=true received=true hasBound=true doRebind=false",
        "All Connections:",
        f"  {_connection(service)}",
    ]


def dump_service(process: Process, words: list[str]) -> None:
    """``service NAME``: what a running service says of itself; those of this phone say nothing."""
    name = next((word for word in words if not word.startswith("-")), "")
    found = [service for service in _services(process) if name and name in service.component]
    if not found:
        process.line(f"No services match: {name}\nUse -h for help.")
    for service in found:
        process.line(
            f"SERVICE {service.component} {window_token(f'service {service.component}')} "
            f"pid={service.row.pid}"
        )
        process.line("  Client:\n    nothing to dump\n")


def _providers(process: Process) -> list[_Provider]:
    rows = {row.name: row for row in app_rows(process)}
    system, telephone = rows["system_server"], rows[_PHONE]
    return [
        _Provider("com.android.providers.settings/.SettingsProvider", "settings", system),
        _Provider("com.android.providers.telephony/.TelephonyProvider", "telephony", telephone),
        _Provider("com.android.providers.telephony/.SmsProvider", "sms", telephone),
        _Provider("com.android.phone/.IccProvider", "icc", telephone),
    ]


def dump_providers(process: Process, words: list[str]) -> None:
    """The published content providers, or those with a part of their name."""
    name = next((word for word in words if not word.startswith("-")), "")
    process.line("ACTIVITY MANAGER CONTENT PROVIDERS (dumpsys activity providers)")
    found = [entry for entry in _providers(process) if name in entry.component]
    if not found:
        process.line("  (nothing)")
        return
    process.line("  Published single-user content providers (by class):")
    for entry in found:
        package = entry.component.partition("/")[0]
        process.out(
            f"  * {entry.record}\n    package={package} process={_shown(entry.row)}\n    "
            f"proc={record_of(entry.row)}\n"
            f"    uid={entry.row.uid} provider=android.content.ContentProviderProxy@"
            f"{hash_code(f'proxy {entry.authority}')}\n"
            f"    singleton=true\n    authority={entry.authority}\n"
        )


def _shown(row: ProcessRow) -> str:
    return "system" if row.name == "system_server" else row.name
