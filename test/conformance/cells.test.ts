import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { conformance } from '../../src/vitest/index.js';
import { lastingFolder } from '../support/lasting-folder.js';

// The reference model and one that breaks nothing but a header, cell by cell.
const folder = await lastingFolder();
const config = join(folder, 'chatspec.yaml');
await writeFile(config, 'targets: { demo: { base_url: simulator, models: [sim-reference, pro-sim-reference] } }\n');
await conformance({ config, tags: ['smoke'] });
