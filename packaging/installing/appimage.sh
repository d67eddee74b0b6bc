. /input/person.sh
cp /input/*.AppImage waymark.AppImage
chmod 755 waymark.AppImage
needs_libraries ./waymark.AppImage --waymark
desktop
tour ./waymark.AppImage --waymark
