import { cpSync } from 'node:fs';

/** The client libraries of a fixture are not needed, and their links cannot be copied twice. */
const isOurs = (path) => !path.includes('node_modules', path.lastIndexOf('fixtures'));

/** Copies what built sources look for where it stands beside the sources: files and folders, each relative to both places. */
export function copyAssets(assets, root, built) {
  for (const asset of assets) cpSync(new URL(asset, root), new URL(asset, built), { recursive: true, filter: isOurs });
}
