. /input/person.sh
install python3 ca-certificates
cp /input/uv /usr/local/bin/uv
as_person uv tool install -q /input/*.whl
needs_libraries .local/bin/waymark
desktop
tour .local/bin/waymark
as_person uv tool uninstall -q waymark-studio
[ ! -e .local/bin/waymark ]
echo "== uninstalled"
