#!/bin/sh
# Lays out the frozen program as an AppImage wants it (build/Tumble.AppDir), and makes one where appimagetool is installed.
# Neither the tool nor the runtime that it puts in front is in Debian or on PyPI, so that neither can be fetched here.
set -eu
cd "$(dirname "$0")/.."

[ -x dist/tumble/tumble ] || { echo "dist/tumble is not there: run pyinstaller packaging/tumble.spec first" >&2; exit 1; }
tree=build/Tumble.AppDir
rm -rf "$tree"
mkdir -p "$tree/usr/lib" "$tree/usr/share/applications"
cp -al dist/tumble "$tree/usr/lib/tumble"
cp packaging/tumble.desktop "$tree/usr/share/applications/tumble.desktop"
sed -i '/^TryExec=/d' "$tree/usr/share/applications/tumble.desktop"  # nothing of it is on the path
ln -s usr/share/applications/tumble.desktop "$tree/tumble.desktop"
cp resources/icons/tumble.svg "$tree/tumble.svg"
ln -s tumble.svg "$tree/.DirIcon"
ln -s usr/lib/tumble/tumble "$tree/AppRun"  # it finds its folder by where the link leads

version="$(sed -n 's/^version = "\(.*\)"$/\1/p' pyproject.toml)"
if command -v appimagetool >/dev/null 2>&1; then
    ARCH="$(uname -m)" appimagetool --no-appstream "$tree" "dist/Tumble-$version-$(uname -m).AppImage"
else
    echo "no AppImage: appimagetool is not installed; $tree is what it would pack"
fi
