#!/usr/bin/env bash
# The image of the Dockerfile beside this file, made where no registry can be reached: from Debian's
# packages alone. Takes the file to keep the root filesystem in, so that a change of the jail does
# not fetch it again. Needs root, debootstrap, tar and the docker command.
#
#   make.sh [ARCHIVE]          SUITE and MIRROR choose other packages
set -euo pipefail
here=$(cd "$(dirname "$0")/.." && pwd)
name=$(python3 "$here/images.py")
away=$(mktemp -d)
trap 'rm -rf "$away"' EXIT
archive=${1:-$away/root.tar}

if [ ! -s "$archive" ]; then
  debootstrap --variant=minbase --include=bash,g++,gcc,libc6-dev,nodejs,python3 \
    "${SUITE:-bookworm}" "$away/root" "${MIRROR:-http://deb.debian.org/debian}" >&2
  rm -rf "$away"/root/{dev,proc,sys}/* "$away"/root/var/{cache/apt,lib/apt/lists}/* \
    "$away"/root/usr/share/{doc,man,locale}/*
  tar --numeric-owner -C "$away/root" -cf "$away/whole.tar" .
  rm -rf "$away/root"
  mv "$away/whole.tar" "$archive"
fi

mkdir -p "$away/app/palaestra/jail-app"
install -m 644 "$here"/jail-app/*.py "$away/app/palaestra/jail-app/"
tar --owner=0 --group=0 -C "$away/app" -cf "$away/app.tar" ./palaestra
entry='ENTRYPOINT ["/usr/bin/python3", "-EsSB", "/palaestra/jail-app/agent.py"]'
cp --reflink=auto "$archive" "$away/image.tar"
tar -Af "$away/image.tar" "$away/app.tar"
docker import --change 'USER 60999:60999' --change "$entry" "$away/image.tar" "$name" >&2
echo "$name"
