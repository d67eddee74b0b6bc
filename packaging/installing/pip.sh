. /input/person.sh
install python3-venv
as_person python3 -m venv waymark
as_person waymark/bin/pip install -q /input/*.whl
needs_libraries waymark/bin/waymark
desktop
tour waymark/bin/waymark
