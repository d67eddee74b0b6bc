. /input/person.sh
install /input/*.deb
# The program looks for libraries in its own folder, too.
lacking=$(LD_LIBRARY_PATH=/usr/lib/waymark-studio/_internal find /usr/lib/waymark-studio -type f \( -name '*.so*' -o -perm /111 \) -exec ldd {} + 2>/dev/null |
    sed -n 's/^\t\(.*\) => not found/\1/p' | sort -u)
[ -z "$lacking" ] || echo "== lacks $lacking"
waymark --version
desktop
tour waymark
as_person waymark-studio --help >/dev/null
apt-get -q -y purge waymark-studio
[ ! -e /usr/lib/waymark-studio ] && [ ! -e /usr/bin/waymark ] && [ ! -e /usr/bin/waymark-studio ]
left=$(find / -xdev -name '*waymark*' -not -path '/proc/*' -not -path '/home/*' -not -path '/tmp/*' \
    -not -path '/input/*' -not -path '/var/cache/*' -not -path /waymark-ready -not -path '/run/*')
[ -z "$left" ] || { echo "left behind: $left"; exit 1; }
echo "== removed, nothing left"
