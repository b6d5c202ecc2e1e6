#!/bin/sh
# The system libraries that Qt and OpenGL need: installed if we may, else named in one line to copy.
# `system-packages.sh build`: and a compiler, for packages that come as source.
set -eu

run="libgl1 libegl1 libglib2.0-0 libdbus-1-3 libfontconfig1 libxkbcommon0 libxkbcommon-x11-0
     libxcb-cursor0 libxcb-icccm4 libxcb-keysyms1 libxcb-shape0"
test="xvfb xauth"
build=""
[ "${1:-}" = build ] && build="g++ python3-dev"
venv="python3-venv"

command -v dpkg-query >/dev/null 2>&1 || { echo "not a Debian or Ubuntu system: please install the libraries of Qt 6 and OpenGL by hand"; exit 0; }

installed() {  # newer releases rename libraries to ...t64
    for name in "$1" "$1t64"; do
        dpkg-query -W -f '${Status}' "$name" 2>/dev/null | grep -q 'ok installed' && return 0
    done
    return 1
}

missing=""
for package in $run $build $test; do
    installed "$package" || missing="$missing $package"
done
python3 -c 'import ensurepip' 2>/dev/null || missing="$missing $venv"
[ -z "$missing" ] && exit 0

if [ "$(id -u)" = 0 ]; then
    as_root=""
elif command -v sudo >/dev/null 2>&1 && sudo -n true 2>/dev/null; then
    as_root="sudo"
else
    echo "Some system libraries are missing. Please run:"
    echo "  sudo apt-get install -y$missing"
    exit 1
fi
echo "Installing$missing"
wait="-o DPkg::Lock::Timeout=300"  # s: a machine that has just been started may be updating itself
$as_root apt-get update -qq
DEBIAN_FRONTEND=noninteractive $as_root apt-get $wait install -y -qq --no-install-recommends $missing >/dev/null
