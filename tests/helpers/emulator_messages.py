"""What real emulators print when they do not start; the sources are named in ``docs/emulators.md``."""

NO_IMAGE = (
    "INFO         | Android emulator version 35.3.8.0 (build_id 12560773) (CL:N/A)\n"
    "PANIC: Broken AVD system path. Check your ANDROID_SDK_ROOT value [/opt/sdk]!\n"
)
NO_KVM = (
    "INFO         | Graphics backend: gfxstream\n"
    "ERROR        | x86_64 emulation currently requires hardware acceleration!\n"
    "CPU acceleration status: This user doesn't have permissions to use KVM (/dev/kvm).\n"
    "More info on configuring VM acceleration on Linux:\n"
    "https://developer.android.com/studio/run/emulator-acceleration#vm-linux\n"
    "General information on acceleration: https://developer.android.com/studio/run/emulator-acceleration.\n"
)
FULL_DISK = "FATAL        | Your device does not have enough disk space to run avd: `Pixel`.\n"
FULL_DISK_BEFORE = "emulator: ERROR: Not enough disk space to run AVD 'Pixel'. Exiting...\n"
IN_USE = (
    "ERROR        | Running multiple emulators with the same AVD \n"
    "ERROR        | is an experimental feature.\n"
    "ERROR        | Please use -read-only flag to enable this feature.\n"
)
IN_USE_LATER = (
    "ERROR        | Another emulator instance is running. Please close it or "
    "run all emulators with -read-only flag.\n"
)
PENDING = "FATAL        | A snapshot operation for 'Pixel' is pending and timeout has expired. Exiting...\n"
NO_PORTS = (
    "WARNING      | jdwp port creation fails, Icebox will not work.\n"
    "ERROR        | It seems too many emulator instances are running on this machine. Aborting.\n"
    "WARNING      | QEMU main loop exits abnormally with code 1\n"
)
OTHER_CPU = "PANIC: Missing emulator engine program for 'arm64' CPU.\n"
UNKNOWN_NAME = "ERROR        | Unknown AVD name [Pixel], use -list-avds to see valid list.\n"
OLD = "unknown option: -no-snapshot-save\nplease use -help for a list of valid options\n"
DAMAGED = (
    "qemu-system-x86_64: -drive if=none,file=/avd/userdata-qemu.img.qcow2: "
    "Could not open '/avd/userdata-qemu.img.qcow2': Image is not in qcow2 format\n"
)
NO_SCREEN = (
    "qt.qpa.xcb: could not connect to display \n"
    "FATAL        | This application failed to start because no Qt platform plugin could be initialized.\n"
)
NO_MEMORY = "qemu-system-x86_64: cannot set up guest memory 'pc.ram': Cannot allocate memory\n"
NO_DEVICE_SNAPSHOT = "Device 'cache' does not have the requested snapshot '{name}'"
