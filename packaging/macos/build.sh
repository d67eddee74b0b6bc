#!/bin/sh
# Build dist/Waymark_Studio-VERSION-macos-PROCESSOR.dmg: the application, to be dragged to Applications.
#     sh packaging/macos/build.sh
# Needs Python 3.11 or newer as python3. It was written on Linux and never run.
# WAYMARK_SIGN_AS names a certificate of the keychain, as "Developer ID Application: ..."; without it the
# application is signed for this computer alone, and others have to allow it.
set -eu
cd "$(dirname "$0")/../.."
python3 packaging/bootstrap.py run -- python packaging/freeze.py
version=$(sed -n 's/^__version__ = "\(.*\)"$/\1/p' collector/__init__.py)
application="dist/Waymark Studio.app"
image="dist/Waymark_Studio-$version-macos-$(uname -m).dmg"
codesign --force --deep --options runtime --sign "${WAYMARK_SIGN_AS:--}" "$application"
codesign --verify --deep --strict "$application"
place=$(mktemp -d)
trap 'rm -rf "$place"' EXIT
mkdir "$place/image"
cp -R "$application" "$place/image/"
ln -s /Applications "$place/image/Applications"
hdiutil create -quiet -ov -volname "Waymark Studio" -srcfolder "$place/image" -format UDZO "$image"

# The application of the image takes the tour, far from the checkout.
hdiutil attach -quiet -nobrowse -mountpoint "$place/mounted" "$image"
"$place/mounted/Waymark Studio.app/Contents/MacOS/waymark" demo --headless "$place/tour" || failed=1
hdiutil detach -quiet "$place/mounted"
[ -z "${failed:-}" ]
python3 packaging/bootstrap.py run -- python packaging/bundle_tour.py "$place/tour"
ls -lh "$image"
