#!/usr/bin/env bash
# Packs the package, installs it in an empty folder and uses it as an application would: the bin, the entries, the types.
set -euo pipefail
root=$(cd "$(dirname "$0")/.." && pwd)
folder=$1
mkdir -p "$folder"
tarball=$(cd "$root" && npm pack --silent --pack-destination "$folder" | tail -n 1)
cd "$folder"
echo '{ "name": "stranger", "private": true, "type": "module" }' > package.json
npm install --silent --no-audit --no-fund "./$tarball"
npx --no chatspec --version
cat > chatspec.yaml <<'YAML'
targets:
  demo:
    base_url: simulator
    models: [sim-reference]
YAML
npx --no chatspec validate
npx --no chatspec run --tags smoke --fail-on fail
test -s reports/latest/index.html
mkdir started
(cd started && npx --no chatspec init && npx --no chatspec validate && npx --no chatspec run --tags smoke --models sim-reference)
cat > entries.mjs <<'JS'
import * as chatspec from 'chatspec';
import { judge } from 'chatspec/judge';
import { startSimulator } from 'chatspec/simulator';
if (typeof judge !== 'function' || typeof startSimulator !== 'function' || Object.keys(chatspec).length === 0) process.exit(1);
JS
node entries.mjs
JS_COUNT=$(ls node_modules/chatspec/dist | wc -l)
[ "$JS_COUNT" -gt 5 ]
