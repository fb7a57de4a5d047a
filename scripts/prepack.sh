#!/usr/bin/env bash
# Before `npm pack`: what a fresh clone lacks is installed, then everything is built.
set -euo pipefail
cd "$(dirname "$0")/.."
# npm hands its own options down; an install that is only pretended would leave nothing to build with.
[ -x node_modules/.bin/rolldown ] || npm ci --no-audit --no-fund --ignore-scripts --dry-run=false >&2
npm run --silent build -- --types
