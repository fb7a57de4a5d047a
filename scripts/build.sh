#!/usr/bin/env bash
# Builds dist. `npm test` does so once and says with CHATSPEC_BUILT in which folder, so that its stages do not build again.
set -euo pipefail
cd "$(dirname "$0")/.."
[ "${CHATSPEC_BUILT:-}" != "$PWD" ] || exit 0
# Types are checked by `npm run types`, which reads the tests as well.
tsc -p tsconfig.build.json --noCheck --emitDeclarationOnly
# Comments are for those who read the types, and for those who read the sources: in the package they are just weight.
tsc -p tsconfig.build.json --noCheck --declaration false --removeComments
node scripts/copy-assets.mjs
node scripts/prune-declarations.mjs
node scripts/prebuild.mjs
