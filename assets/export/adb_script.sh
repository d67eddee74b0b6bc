WAIT=20 # seconds that an element may take to come
SOON=5  # seconds that a new screen may take, whatever is on it
SERIAL="${1:-${ANDROID_SERIAL:-}}"

fail() {
    echo "$*" >&2
    exit 1
}

phone() {
    if [ -n "$SERIAL" ]; then adb -s "$SERIAL" "$@" </dev/null; else adb "$@" </dev/null; fi
}

SIZE=$(phone shell wm size | tr -d '\r' | sed -n 's/.*: *//p' | tail -n 1)
NOW_WIDE=${SIZE%x*}
NOW_HIGH=${SIZE#*x}
# The size is that of the upright phone.
if [ "$WIDE" -gt "$HIGH" ] && [ "$NOW_WIDE" -lt "$NOW_HIGH" ]; then
    NOW_WIDE=${SIZE#*x}
    NOW_HIGH=${SIZE%x*}
fi

# Bounds of one element: find NUMBER [ATTRIBUTE = *= ^= or $= VALUE]...; nothing when it is not there.
find_it() {
    number=$1
    shift
    phone exec-out uiautomator dump /dev/tty 2>/dev/null | tr '\n>' ' \n' |
        NUMBER="$number" WANTED="$(printf '%s\n' "$@")" awk '
            # The dump puts a value that holds a double quote between single ones.
            function value(line, name,   start, rest) {
                start = index(line, " " name "=")
                if (!start) return "\001"
                rest = substr(line, start + length(name) + 3)
                rest = substr(rest, 1, index(rest, substr(line, start + length(name) + 2, 1)) - 1)
                gsub(/&quot;/, "\"", rest)
                gsub(/&apos;/, "\047", rest)
                return rest
            }
            BEGIN { count = split(ENVIRON["WANTED"], wanted, "\n") }
            index($0, "<node") {
                fits = 1
                for (i = 1; fits && i + 2 <= count; i += 3) {
                    have = value($0, wanted[i]); test = wanted[i + 1]; want = wanted[i + 2] ""
                    if (test == "=") fits = have "" == want
                    else if (test == "*=") fits = index(have, want) > 0
                    else if (test == "^=") fits = substr(have, 1, length(want)) == want
                    else fits = substr(have, length(have) - length(want) + 1) == want
                }
                if (fits && ++seen == ENVIRON["NUMBER"] + 0) { print value($0, "bounds"); exit }
            }'
}

# Wait SECONDS for an element, and print its bounds; fails when it does not come.
wait_for() {
    end=$(($(date +%s) + $1))
    shift
    while :; do
        bounds=$(find_it "$@")
        if [ -n "$bounds" ]; then
            echo "$bounds"
            return 0
        fi
        if [ "$(date +%s)" -ge "$end" ]; then return 1; fi
    done
}

soon() { wait_for "$SOON" "$@" >/dev/null || :; }

seen() {
    state=$1
    shift
    wait_for "$WAIT" "$@" >/dev/null || fail "This state is not there: $state ($*)"
}

gone() {
    state=$1
    shift
    end=$(($(date +%s) + WAIT))
    while [ -n "$(find_it "$@")" ]; do
        [ "$(date +%s)" -lt "$end" ] || fail "This state is not there: $state ($*)"
    done
}

in_front() {
    end=$(($(date +%s) + WAIT))
    until phone shell dumpsys activity activities | grep ResumedActivity | grep -qF -- "$1"; do
        [ "$(date +%s)" -lt "$end" ] || fail "$1 is not in front"
    done
}

# A place of the recorded screen in pixels of this one.
here() { echo "$(($1 * NOW_WIDE / WIDE)) $(($2 * NOW_HIGH / HIGH))"; }

# Touch an element, or a place: touch_it tap|double_tap|hold_MILLISECONDS (at X Y | NUMBER TESTS...)
touch_it() {
    kind=$1
    shift
    if [ "$1" = at ]; then
        spot=$(here "$2" "$3")
    else
        bounds=$(wait_for "$WAIT" "$@") || fail "This is not on the screen: $*"
        spot=$(echo "$bounds" | awk -F'[][,]+' '{ print int(($2 + $4) / 2), int(($3 + $5) / 2) }')
    fi
    case $kind in
    tap) phone shell "input tap $spot" ;;
    double_tap) phone shell "input tap $spot; input tap $spot" ;;
    *) phone shell "input swipe $spot $spot ${kind#hold_}" ;;
    esac
}

# Draw with a finger: draw swipe|draganddrop X1 Y1 X2 Y2 MILLISECONDS
draw() { phone shell "input $1 $(here "$2" "$3") $(here "$4" "$5") $6"; }

type_text() {
    text=$(printf '%s' "$1" | sed "s/'/'\\\\''/g; s/ /%s/g")
    phone shell "input text '$text'"
}

keys() {
    if [ $# -gt 1 ]; then phone shell "input keycombination $*"; else phone shell "input keyevent $1"; fi
}

open_app() { phone shell "monkey -p $1 -c android.intent.category.LAUNCHER 1" >/dev/null; }
