#!/usr/bin/env bash
# Builds dist. `npm test` does so once and says with CHATSPEC_BUILT in which folder, so that its stages do not build again.
set -euo pipefail
cd "$(dirname "$0")/.."
[ "${CHATSPEC_BUILT:-}" != "$PWD" ] || exit 0
# Types are checked by `npm run types`, which reads the tests as well.
tsc -p tsconfig.build.json --noCheck
node scripts/copy-assets.mjs
node scripts/prune-declarations.mjs
node scripts/prebuild.mjs
