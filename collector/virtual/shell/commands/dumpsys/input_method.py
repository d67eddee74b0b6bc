"""``dumpsys input_method``: the keyboards, the field that is served, and whether a keyboard is shown."""

from __future__ import annotations

from collections.abc import Iterator

from collector.virtual.android_versions import ANDROID_8, ANDROID_10, ANDROID_12, ANDROID_14, ANDROID_15
from collector.virtual.shell.commands.dumpsys.window.records import (
    hash_code,
    truth,
    user_of,
    window_name,
)
from collector.virtual.shell.process import Process
from collector.virtual.system.phone import Phone
from collector.virtual.system.phone_state.input_log import window_token
from collector.virtual.system.task_report import FocusedField

_KINDS = {"text": 0x1, "multiline": 0x20001, "password": 0x81, "number": 0x2, "email": 0x21}
"""InputType of each kind of field."""
_ACTIONS = {"go": 0x2, "search": 0x3, "send": 0x4, "next": 0x5, "done": 0x6}
"""EditorInfo.IME_ACTION_*."""
_SOFT_INPUT = "mCurFocusedWindowSoftInputMode="


def dump_input_method(process: Process, words: list[str]) -> int:
    """As ``InputMethodManagerService`` prints it, then what the app and the keyboard say."""
    phone = process.machine.phone
    critical = "CRITICAL" in words
    lines = [*_manager(phone), *(() if critical else _client(phone)), *(() if critical else _keyboard(phone))]
    process.out("".join(f"{line}\n" for line in lines))
    return 0


def _manager(phone: Phone) -> Iterator[str]:
    sdk, manager, shown = phone.profile.sdk, phone.services.input_methods, truth(phone.input_method.shown)
    current, title = manager.current or "null", phone.focused_window
    yield "Current Input Method Manager state:"
    yield "  Input Methods: mMethodMapUpdateCount=1" if sdk >= ANDROID_8 else "  Input Methods:"
    for number, method in enumerate(manager.installed):
        package, _, name = method.id.partition("/")
        full = package + name if name.startswith(".") else name
        yield f"  InputMethod #{number}:"
        yield (
            f"    mId={method.id} mSettingsActivityName=null mIsVrOnly=false "
            "mSupportsSwitchingToNextInputMethod=true"
        )
        yield f"    mIsDefaultResId=0x{'7f0b0001' if method.system else '0'}"
        yield "    Service:"
        yield "      priority=0 preferredOrder=0 match=0x108000 specificIndex=-1 isDefault=false"
        yield "      ServiceInfo:"
        yield f"        name={full}"
        yield f"        packageName={package}"
        yield f"        labelRes=0x0 nonLocalizedLabel={method.label} icon=0x0 banner=0x0"
        yield "        enabled=true exported=true directBootAware=false"
        yield "        permission=android.permission.BIND_INPUT_METHOD"
    yield from _clients(phone)
    if sdk >= ANDROID_14:
        yield "  mCurrentUserId=0"
    yield f"  mCurMethodId={current}"
    yield f"  mCurClient={_client_name(phone)} mCurSeq=1"
    if sdk >= ANDROID_10:
        yield "  mFocusedWindowPerceptible={}"
    yield (
        f"  mCurFocusedWindow={window_token(f'binder {title}') if title else 'null'} "
        f"softInputMode=STATE_UNSPECIFIED|ADJUST_RESIZE client={_client_name(phone)}"
    )
    if sdk >= ANDROID_8:
        yield f"  {_SOFT_INPUT}STATE_UNSPECIFIED|ADJUST_RESIZE"
    bound = "true" if manager.current else "false"
    visible = f" mVisibleBound={shown}" if sdk >= ANDROID_8 else ""
    yield f"  mCurId={current} mHaveConnection={bound} mBoundToMethod={bound}{visible}"
    yield f"  mCurToken=android.os.Binder@{hash_code(f'method {current}')}"
    if sdk >= ANDROID_10:
        yield "  mCurTokenDisplayId=0"
    yield f"  mCurIntent=Intent {{ act=android.view.InputMethod cmp={current} }}"
    yield f"  mCurMethod=com.android.internal.view.IInputMethod$Stub$Proxy@{hash_code(current)}"
    served = phone.services.packages.uids.get(_focused_package(phone), 1000)
    yield f"  mEnabledSession=SessionState{{uid {user_of(served)}}}"
    if sdk >= ANDROID_14:
        yield "  mRequestedShowExplicitly=false mShowForced=false"
        yield f"  mInputShown={shown}"
    else:
        yield f"  mShowRequested={shown} mShowExplicitlyRequested=false mShowForced=false mInputShown={shown}"
    yield "  mInFullscreenMode=false"
    key = "mInteractive" if sdk > 23 else "mScreenOn"
    yield f"  mSystemReady=true {key}={truth(phone.awake)}"
    yield (
        "  mSettingsObserver=SettingsObserver{mUserId=0 mRegistered=true mLastEnabled="
        + ":".join(manager.enabled)
        + "}"
    )
    yield from _switching(phone)


def _switching(phone: Phone) -> Iterator[str]:
    manager = phone.services.input_methods
    yield "  mSwitchingController:"
    yield "    mDynamicRotationList: " if phone.profile.sdk >= ANDROID_15 else "    mRotationList: "
    for method in manager.installed:
        if method.id in manager.enabled:
            yield f"      IME={method.label} subtypeId=0 id={method.id}"


def _focused_package(phone: Phone) -> str:
    return phone.focused_window.partition("/")[0]


def _client_name(phone: Phone) -> str:
    package = _focused_package(phone)
    pid = phone.pid_of(package)
    if pid is None:
        return "null"
    uid = phone.services.packages.uids.get(package, 1000)
    token = hash_code(f"client {package}")
    return f"ClientState{{{token} mUid={uid} mPid={pid} mSelfReportedDisplayId=0}}"


def _clients(phone: Phone) -> Iterator[str]:
    """The processes that have asked for a keyboard: all apps that run."""
    yield "  ClientStates:" if phone.profile.sdk >= ANDROID_12 else "  Clients:"
    for info in phone.packages:
        pid = phone.pid_of(info.package)
        if pid is None or not info.activities:
            continue
        token = hash_code(f"client {info.package}")
        yield f"  ClientState{{{token} mUid={info.uid} mPid={pid} mSelfReportedDisplayId=0}}:"
        yield f"    client=com.android.internal.view.IInputMethodClient$Stub$Proxy@{token}"
        yield "    sessionRequested=true"
        yield "    selfReportedDisplayId=0"
        yield f"    uid={info.uid}"
        yield f"    pid={pid}"


def _client(phone: Phone) -> Iterator[str]:
    """What the app in front says: whether a view is served, and its editor."""
    field, title = phone.services.tasks.field(), phone.focused_window
    yield " "
    if not title or _client_name(phone) == "null":
        yield "No input method client."
        return
    yield f"Input method client state for InputMethodManager@{hash_code(f'client {title}')}:"
    connection = "android.view.inputmethod.BaseInputConnection"
    yield f"  mFallbackInputConnection=RemoteInputConnectionImpl{{connection={connection}}}"
    yield (
        f"  mActive={truth(field is not None)} mRestartOnNextWindowFocus=false "
        f"mBindSequence=1 mCurImeId={phone.services.input_methods.current}"
    )
    yield "  mFullscreenMode=false"
    yield f"  mCurRootView=DecorView@{hash_code(f'decor {title}')}[{title.rpartition('.')[2]}]"
    yield f"  mServedView={_view(field)}"
    yield f"  mNextServedView={_view(field)}"
    yield "  mServedConnecting=false"
    if field is None:
        yield "  mCurrentEditorInfo: null"
        yield "  mServedInputConnection=null"
        return
    yield "  mCurrentEditorInfo:" if phone.profile.sdk >= ANDROID_12 else "  mCurrentTextBoxAttribute:"
    yield from (f"    {line}" for line in _editor(field))
    connection = "android.widget.EditableInputConnection finished=false  isActive()=true"
    yield f"  mServedInputConnection=RemoteInputConnectionImpl{{connection={connection}}}"
    yield "  mCompletions=null"


def _view(field: FocusedField | None) -> str:
    if field is None:
        return "null"
    name = f" {field.name}" if field.name else ""
    return f"android.widget.EditText{{{window_token(f'view {field.name}')} VFED..CL. .F......{name}}}"


def _editor(field: FocusedField) -> Iterator[str]:
    """As ``EditorInfo.dump`` prints it."""
    widget = field.widget
    entry = field.name.rpartition("/")[2]
    length = len(widget.text)
    yield (
        f"inputType=0x{_KINDS[widget.kind]:x} "
        f"imeOptions=0x{0x2000000 | _ACTIONS[widget.action]:x} privateImeOptions=null"
    )
    yield "actionLabel=null actionId=0"
    yield f"initialSelStart={length} initialSelEnd={length} initialCapsMode=0x0"
    yield f"hintText={widget.hint or 'null'} label={widget.label or 'null'}"
    yield f"packageName={field.package} autofillId=null fieldId=0 fieldName={entry or 'null'}"
    yield "extras=null"


def _keyboard(phone: Phone) -> Iterator[str]:
    """What the keyboard's service says."""
    shown, field = truth(phone.input_method.shown), phone.services.tasks.field()
    bound = truth(field is not None)
    yield " "
    yield (
        f"Input method service state for {phone.services.input_methods.current.rpartition('.')[2] or 'null'}:"
    )
    yield f"  mViewsCreated=true mDecorViewVisible={shown} mDecorViewWasVisible={shown} mInShowWindow=false"
    yield "  Configuration={ " + f"{phone.density}dpi" + " }"
    yield f"  mToken=android.os.BinderProxy@{hash_code('keyboard token')}"
    yield f"  mInputBinding={'InputBinding{}' if field is not None else 'null'}"
    yield f"  mInputStarted={bound} mInputViewStarted={shown} mCandidatesViewStarted=false"
    if field is not None:
        yield "  mInputEditorInfo:"
        yield from (f"    {line}" for line in _editor(field))
    else:
        yield "  mInputEditorInfo: null"
    yield f"  mShowInputRequested={shown} mLastShowInputRequested={shown} mShowInputFlags=0x0"
    yield "  mCandidatesVisibility=4 mFullscreenApplied=true mIsFullscreen=false mExtractViewHidden=false"
    yield f"  mIsInputViewShown={shown}"
    yield f"  mWindow={window_name('InputMethod')}"
