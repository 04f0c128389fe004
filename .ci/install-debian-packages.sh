#!/usr/bin/env bash
# Installs what tests need beyond npm, on Debian and its relatives: Chromium and a font for it to draw with,
# Prometheus and Redis.
# Does nothing where all of it is there already; may be run as often as one likes.
set -euo pipefail

packages=(chromium fonts-dejavu-core prometheus redis-server)

missing=()
for package in "${packages[@]}"; do
  if ! dpkg-query --show --showformat='${db:Status-Status}' "$package" 2>/dev/null | grep -qx installed; then
    missing+=("$package")
  fi
done
if [ "${#missing[@]}" -eq 0 ]; then
  exit 0
fi

fail() {
  echo "install-debian-packages: $1" >&2
  echo "install-debian-packages: missing: ${missing[*]}. Install them by hand; the browser tests need /usr/bin/chromium, those of metrics /usr/bin/prometheus and promtool, and those of" \
    "studies on many machines /usr/bin/redis-server." >&2
  exit 1
}

command -v apt-get >/dev/null || fail "there is no apt-get here"

as_root=()
if [ "$(id -u)" -ne 0 ]; then
  command -v sudo >/dev/null || fail "installing needs root, and there is no sudo"
  as_root=(sudo --non-interactive)
fi

export DEBIAN_FRONTEND=noninteractive
install() {
  "${as_root[@]}" apt-get install --yes --no-install-recommends "${missing[@]}" >&2
}
# The lists may be old: they are fetched only when the first attempt fails.
install || { "${as_root[@]}" apt-get update >&2 && install; } || fail "apt-get could not install them"
