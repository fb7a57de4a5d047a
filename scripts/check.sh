#!/usr/bin/env bash
# What CI runs before the tests. Lint takes about as long as all the rest, so the two run side by side.
set -uo pipefail
cd "$(dirname "$0")/.."
# Tools that read all of the code make many objects: with room for them, they collect garbage less often.
export NODE_OPTIONS="${NODE_OPTIONS:-} --max-semi-space-size=64"
log=$(mktemp)
trap 'rm -f "$log"' EXIT

# The build comes first: the tests that follow need it, whatever else fails.
rest() {
  npm run --silent build -- --types && npm run --silent format:check && npm run --silent types &&
    npm run --silent unused && npm run --silent package:check
}

rest >"$log" 2>&1 &
code=0
npm run --silent lint || code=1
wait $! || code=1
cat "$log"
exit $code
