#!/usr/bin/env bash
# Builds dist, with `--types` also the declarations, which only those who install the package read.
# `npm test` builds once and says with CHATSPEC_BUILT in which folder, so that its stages do not build again.
set -euo pipefail
cd "$(dirname "$0")/.."
[ "${CHATSPEC_BUILT:-}" != "$PWD" ] || exit 0
node scripts/bundle.mjs
node scripts/copy-assets.mjs
node scripts/prebuild.mjs
[ "${1:-}" = --types ] || exit 0
# Types are checked by `npm run types`, which reads the tests as well.
node_modules/.bin/tsc -p tsconfig.build.json --noCheck
node scripts/prune-declarations.mjs
