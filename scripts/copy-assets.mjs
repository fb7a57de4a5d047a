// tsc copies no templates or data: what lies beside the sources and is read at run time goes to dist here.
import { cpSync } from 'node:fs';

cpSync('src', 'dist', { recursive: true, filter: (path) => !/\.ts$/.test(path) });
