#!/usr/bin/env bash
# Installs what the checks need beyond Node.js and is not there yet. Touches nothing when nothing is missing.
set -euo pipefail

# command:Debian package. Python, make and g++ compile SQLite where no ready-made binary can be fetched; bwrap is the sandbox; tmux is the
# terminal of the tests.
needed=(python3:python3 make:make g++:g++ bwrap:bubblewrap tmux:tmux)

missing=()
for entry in "${needed[@]}"; do
  command -v "${entry%%:*}" >/dev/null || missing+=("${entry##*:}")
done
[ ${#missing[@]} -eq 0 ] && exit 0

if ! command -v apt-get >/dev/null; then
  echo "Missing: ${missing[*]}. Install them with this system's package manager." >&2
  exit 1
fi
as_root=()
[ "$(id -u)" -eq 0 ] || as_root=(sudo)
echo "Installing ${missing[*]}…" >&2
"${as_root[@]}" apt-get update -qq >&2
"${as_root[@]}" env DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends "${missing[@]}" >&2
