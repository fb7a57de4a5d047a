#!/usr/bin/env bash
# All stages of `npm test`. Every stage runs even when an earlier one fails, so that one run shows everything.
# The last line is always "N passed, N failed"; stages count as tests.
set -uo pipefail
cd "$(dirname "$0")/.."
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
passed=0
failed=0

stage() { # title, command...
  local title=$1
  shift
  echo "── $title"
  local begun=$SECONDS
  if "$@"; then
    passed=$((passed + 1))
    echo "── $title: ok ($((SECONDS - begun)) s)"
  else
    failed=$((failed + 1))
    echo "── $title: FAILED ($((SECONDS - begun)) s)"
  fi
}

vitest_counts() { # reads vitest's JSON report and adds its tests to the totals
  read -r ok bad < <(node -e '
    const { numPassedTests, numFailedTests, numFailedTestSuites } = JSON.parse(require("fs").readFileSync(process.argv[1]));
    console.log(numPassedTests, numFailedTests || (numFailedTestSuites ? 1 : 0));' "$1" 2>/dev/null || echo "0 1")
  passed=$((passed + ok))
  failed=$((failed + bad))
}

tests() {
  npx vitest run --reporter=default --reporter=json --outputFile.json="$work/vitest.json"
  local code=$?
  vitest_counts "$work/vitest.json"
  return $code
}

install_chromium() {
  [ -x "${CHROMIUM_PATH:-/usr/bin/chromium}" ] && return 0
  [ "$(id -u)" = 0 ] || { echo "no chromium: run 'sudo apt-get install chromium', or set CHROMIUM_PATH to a Chrome"; return 1; }
  apt-get update -qq && DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends chromium >/dev/null
}

# The installation waits for the network most of the time, so it runs beside the other stages.
chromium() {
  wait "$chromium_installs" && return 0
  cat "$work/chromium.log"
  return 1
}

browser() {
  npx vitest run --config vitest.browser.config.ts --reporter=default --reporter=json --outputFile.json="$work/browser.json"
  local code=$?
  vitest_counts "$work/browser.json"
  return $code
}

# Like chromium, it waits for the network, so it begins with the tests.
packed() {
  wait "$packed_runs"
  local code=$?
  cat "$work/packed.log"
  return $code
}

demo() {
  npm start --silent && test -s reports/latest/index.html && test -s reports/latest/report.json
}

rm -rf dist
install_chromium >"$work/chromium.log" 2>&1 &
chromium_installs=$!
stage 'check (lint, format, types, unused code, build, package)' npm run --silent check
bash scripts/packed-package.sh "$work/packed" >"$work/packed.log" 2>&1 &
packed_runs=$!
stage 'unit, integration and conformance tests' tests
stage 'packed package in an empty folder' packed
stage 'demo run' demo
stage 'chromium' chromium
stage 'browser tests' browser

echo "$passed passed, $failed failed"
[ "$failed" = 0 ]
