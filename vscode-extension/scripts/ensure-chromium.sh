#!/usr/bin/env bash
# Prints the Chromium that drives the end-to-end tests; installs Debian's when it may. Nobody looks at
# its windows: one that cannot show any takes less of the processor and is there sooner.
set -euo pipefail

find_chromium() {
  local candidate
  for candidate in "${CHROMIUM:-}" chromium-headless-shell chromium chromium-browser google-chrome google-chrome-stable; do
    [ -n "$candidate" ] && command -v "$candidate" && return 0
  done
  return 1
}

find_chromium && exit 0

if [ "$(id -u)" != 0 ] || ! command -v apt-get > /dev/null; then
  echo "The end-to-end tests need Chromium. Install it (Debian: sudo apt-get install chromium-headless-shell)" >&2
  echo "or set CHROMIUM to the path of a Chromium or Chrome binary." >&2
  exit 1
fi

echo "Installing Chromium …" >&2
export DEBIAN_FRONTEND=noninteractive
apt-get update -qq >&2
# The fonts are for the pages' text: without any, right-to-left words would be boxes.
install() { apt-get install -y -qq --no-install-recommends "$@" fonts-dejavu-core fonts-noto-core >&2; }
# Not every release has it in a package of its own.
install chromium-headless-shell || install chromium
find_chromium
