import { Readable } from 'node:stream';
import type { runCli } from '../../src/cli/program.js';

type Io = Parameters<typeof runCli>[1];

/** A plain terminal of 80 columns that shows nothing, with what a test changes about it. */
export function anIo(changes: Pick<Io, 'cwd'> & Partial<Io>): Io {
  return {
    out: () => undefined,
    err: () => undefined,
    env: {},
    color: false,
    columns: 80,
    interactive: false,
    input: () => Promise.resolve(''),
    inputPieces: () => Readable.from([]),
    onInterrupt: () => () => undefined,
    exitNow: () => undefined,
    ...changes,
  };
}
