# What the ways have in common; read by each of them.
set -eu

install() { apt-get -q -y install --no-install-recommends "$@"; }

apt-get -q update
useradd --create-home person
cd /home/person

# As the person, in their home.
as_person() { su person -s /bin/sh -c 'cd && exec "$0" "$@"' -- "$@"; }

# What a tour that fails leaves.
trap 'status=$?; [ "$status" -eq 0 ] || [ ! -d tour/work ] || cp -r tour/work /output/; exit "$status"' EXIT

# A desktop has fonts; the tour drives the window by a screen and by keys.
desktop() { install fonts-noto-core fonts-noto-cjk xvfb xdotool; }

# needs_libraries PROGRAM...: without the libraries of a window it ends with one sentence, which names the
# packages. They are installed as it says.
needs_libraries() {
    if as_person "$@" demo --headless early >/tmp/said 2>&1; then
        echo "== it needed no library"
        return
    fi
    cat /tmp/said
    if grep -q Traceback /tmp/said || [ "$(wc -l </tmp/said)" -ne 1 ]; then
        echo "a missing library gives more than a sentence"
        exit 1
    fi
    packages=$(sed -n 's/.*sudo apt-get install //p' /tmp/said)
    [ -n "$packages" ] || exit 1
    echo "== it named $(echo "$packages" | wc -w) packages of libraries"
    # shellcheck disable=SC2086 - words
    install $packages
}

# tour PROGRAM...: the pictures of the main job.
tour() {
    as_person "$@" demo --headless tour
    cp tour/*.png tour/tour.json /output/
}
