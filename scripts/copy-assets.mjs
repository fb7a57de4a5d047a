// Copies the templates and data that modules read at run time to where these look for them.
import { cpSync } from 'node:fs';
import { globSync } from 'tinyglobby';

const assets = globSync('**/*', { cwd: 'src', ignore: ['**/*.ts'] });
for (const folder of ['dist', '.modules']) for (const file of assets) cpSync(`src/${file}`, `${folder}/${file}`);
