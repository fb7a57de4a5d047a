#!/usr/bin/env bash
# Installs the packed package in an empty folder and uses it as a stranger would: starter files, bin, entries, size.
# Usage: scripts/packed-package.sh FOLDER [TARBALL]; without a tarball, it packs this folder, which must be built with its types.
set -euo pipefail
root=$(cd "$(dirname "$0")/.." && pwd)
folder=$1
most_kb=28000
mkdir -p "$folder"
tarball=${2:-$folder/$(cd "$root" && npm pack --silent --ignore-scripts --pack-destination "$folder" | tail -n 1)}

cd "$folder"
echo '{ "name": "stranger", "private": true, "type": "module" }' > package.json
npm install --silent --no-audit --no-fund "$tarball"
echo "node $(node --version), chatspec $(npx --no -- chatspec --version)"
# Versions of Node differ in what they complain about: nothing else may be printed.
printed=$(node node_modules/chatspec/dist/cli/main.js --version 2>&1)
[ "$printed" = "$(npx --no -- chatspec --version)" ] || { echo "--version prints more than the version: $printed"; exit 1; }

# Blocks on disk, which count small files as larger than they are, and bytes.
size_kb=$(du -sk node_modules | cut -f 1)
echo "installed: $((size_kb / 1000)) MB on disk, $(($(du -sb node_modules | cut -f 1) / 1000000)) MB of files"
[ "$size_kb" -lt "$most_kb" ] || { echo "more than $((most_kb / 1000)) MB; the largest packages (kB):"; du -sk node_modules/* | sort -rn | head -n 8; exit 1; }

npx --no chatspec init
npx --no chatspec validate
npx --no chatspec run > run.txt 2> progress.txt || { cat run.txt progress.txt; exit 1; }
tail -n 8 run.txt
for file in index.html report.json report.md junit.xml journal.jsonl; do test -s "reports/latest/$file"; done
npx --no chatspec baseline accept reports/latest > /dev/null
npx --no chatspec run --tags nightly --fail-on fail > /dev/null 2>&1

cat > entries.mjs <<'JS'
import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';

const { exports: entries } = JSON.parse(await readFile('node_modules/chatspec/package.json', 'utf8'));
for (const [entry, target] of Object.entries(entries)) {
  if (typeof target === 'string') continue;
  // A peer that only users of this entry install.
  if (entry === './vitest') {
    if (!fileURLToPath(import.meta.resolve('chatspec/vitest')).endsWith(target.default.slice(1))) throw new Error(entry);
    continue;
  }
  const names = Object.keys(await import(entry.replace('.', 'chatspec')));
  if (names.length === 0) throw new Error(`${entry} exports nothing`);
}
fileURLToPath(import.meta.resolve('chatspec/schemas/suite.schema.json'));
JS
node entries.mjs

# Strict users read the declarations of packages, too; nobody here has Vitest.
printf "import 'chatspec%s';\n" '' /judge /capabilities /simulator /vitest > types.ts
"$root/node_modules/.bin/tsc" --noEmit --strict --module nodenext --target es2022 \
  --types node --typeRoots "$root/node_modules/@types" types.ts
