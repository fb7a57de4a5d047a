// Copies to dist the templates and data that are read at run time, which tsc leaves out.
import { cpSync } from 'node:fs';

cpSync('src', 'dist', { recursive: true, filter: (path) => !/\.ts$/.test(path) });
