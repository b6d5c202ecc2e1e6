#!/bin/sh
# Builds the ffmpeg that the frozen program carries: Debian's source of it, with x264 linked in, and only the parts that
# app/film/video.py uses. 5.3 MB; the one that the imageio-ffmpeg package brings can do everything, and has 173 MB.
#
#   sh packaging/small_ffmpeg.sh FOLDER     leaves FOLDER/ffmpeg
set -eu

folder="${1:?usage: small_ffmpeg.sh FOLDER}"
needed="gcc make nasm pkg-config xz-utils libx264-dev"

command -v apt-get >/dev/null 2>&1 || { echo "small_ffmpeg.sh needs Debian's or Ubuntu's apt-get for the sources" >&2; exit 1; }
missing=""
for package in $needed; do
    dpkg-query -W -f '${Status}' "$package" 2>/dev/null | grep -q 'ok installed' || missing="$missing $package"
done
if [ -n "$missing" ]; then
    [ "$(id -u)" = 0 ] || { echo "Please run first:  sudo apt-get install -y$missing" >&2; exit 1; }
    apt-get update -qq
    DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends $missing >/dev/null
fi

mkdir -p "$folder"
cd "$folder"
here="$PWD"
rm -rf apt static source ffmpeg_*
mkdir -p apt/parts apt/lists/partial apt/cache/archives/partial static source

# Sources are asked for in a place of our own: the system's list of packages stays as it is.
for file in /etc/apt/sources.list /etc/apt/sources.list.d/*; do
    case "$file" in
        *.sources) sed 's/^Types:.*/Types: deb-src/' "$file" >"apt/parts/$(basename "$file")" ;;
        *.list) [ ! -f "$file" ] || sed -n 's/^deb /deb-src /p' "$file" >"apt/parts/$(basename "$file")" ;;
    esac
done
keep="-qq -o APT::Sandbox::User=root -o Dir::Etc::sourcelist=/dev/null -o Dir::Etc::sourceparts=$here/apt/parts -o Dir::State::lists=$here/apt/lists
      -o Dir::Cache=$here/apt/cache"
apt-get $keep update || echo "not all lists of sources could be read" >&2  # a vendor's own may hold no sources
apt-get $keep source --download-only ffmpeg
tar xf ffmpeg_*.orig.tar.xz -C source --strip-components=1

# x264 from its archive, not as a shared library that would have to travel along.
cp "$(dirname "$(gcc -print-file-name=libx264.a)")/libx264.a" static/
version="$(pkg-config --modversion x264)"
printf 'Name: x264\nDescription: x264\nVersion: %s\nLibs: -L%s -lx264 -lpthread -lm -ldl\nCflags:\n' \
    "$version" "$here/static" >static/x264.pc

cd source
# --enable-filter=null,...: what the graphs of the two kinds of video name, and what ffmpeg puts between by itself.
PKG_CONFIG_LIBDIR="$here/static" ./configure --prefix=/usr --enable-gpl --enable-libx264 --disable-everything --disable-autodetect \
    --disable-doc --disable-network --disable-ffplay --disable-ffprobe --disable-avdevice --disable-debug \
    --enable-protocol=file,pipe --enable-demuxer=rawvideo,mov,gif --enable-muxer=mp4,gif,framemd5,rawvideo,null \
    --enable-decoder=rawvideo,h264,gif --enable-parser=h264,gif --enable-encoder=libx264,gif,rawvideo,wrapped_avframe \
    --enable-bsf=h264_mp4toannexb,extract_extradata \
    --enable-filter=scale,format,null,split,palettegen,paletteuse,pad,fillborders,setparams,vflip,showinfo,trim,fps,copy \
    >../configure.log
make -j"$(nproc)" ffmpeg >../make.log 2>&1 || { tail -20 ../make.log >&2; exit 1; }
cp ffmpeg ../ffmpeg
cd ..
rm -rf apt static source ffmpeg_*
ls -l ffmpeg
