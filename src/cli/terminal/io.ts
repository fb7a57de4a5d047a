import { relative, dirname, resolve } from 'node:path';
import { readEnvironment } from '../../config/credentials.js';
import { liveKeys, valuesNamedSecret } from '../../config/key-variables.js';
import { looksLikeKey, withoutKeyLike } from '../../config/secrets.js';
import type { Problem } from '../../files/problems/problem.js';
import { readText } from '../../files/read-text.js';
import { createMasker, type Masker } from '../../masking/masker.js';
import { capped } from '../../report/safe/capped.js';
import { inert, safeJsonText, visible } from '../../report/safe/escape.js';
import { createPaint } from '../../report/terminal/paint.js';

/** The exit codes that other programs rely on. */
export const exitCodes = {
  ok: 0,
  /** A deviation, or (for diff) something that was lost. */
  deviation: 1,
  /** A mistake in options, config, suites or baseline, or a missing key. Nothing was sent. */
  usage: 2,
  /** Could not measure; run it again. */
  unmeasured: 3,
  interrupted: 130,
} as const;

/** Everything outside the program that a verb may use; tests pass their own. */
export interface Io {
  /** Data: standard output. */
  readonly out: (text: string) => void;
  /** Progress and diagnostics: standard error. */
  readonly err: (text: string) => void;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly cwd: string;
  /** Whether standard output shows colour. */
  readonly color: boolean;
  /** Width of the terminal in columns; 80 where there is none. */
  readonly columns: number;
  /** Whether standard error is a terminal, on which a progress line can rewrite itself. */
  readonly interactive: boolean;
  /** All of standard input, as text. */
  readonly input: () => Promise<string>;
  /** Standard input in pieces, as they come. */
  readonly inputPieces: () => AsyncIterable<string>;
  /** Calls the listener on SIGINT and SIGTERM; returns a function that stops listening. */
  readonly onInterrupt: (listener: (signal: string) => void) => () => void;
  /** Ends the program at once. */
  readonly exitNow: (code: number) => void;
}

/**
 * The same, but whatever is printed commands no build machine that reads it. Printers escape what others wrote, since
 * the width of a line depends on it; this is for texts that nobody thought of.
 */
export function withoutCommands(io: Io): Io {
  return { ...io, out: (text) => io.out(inert(text)), err: (text) => io.err(inert(text)) };
}

/** Build machines switch a variable on by anything but nothing, 0 and false. */
function isSwitchedOn(value: string | undefined): boolean {
  return value !== undefined && !['', '0', 'false'].includes(value.toLowerCase());
}

/** The real terminal. */
export function terminal(process: NodeJS.Process): Io {
  const { env, stdout, stderr } = process;
  return {
    out: (text) => void stdout.write(text),
    err: (text) => void stderr.write(text),
    env,
    cwd: process.cwd(),
    // Node.js itself reads TERM, and FORCE_COLOR where there is a terminal.
    color: !env['NO_COLOR'] && (stdout.isTTY ? stdout.hasColors() : isSwitchedOn(env['FORCE_COLOR'])),
    columns: stdout.columns || Number(env['COLUMNS']) || 80,
    input: async () => {
      let text = '';
      for await (const piece of process.stdin.setEncoding('utf8')) text += String(piece);
      return text;
    },
    inputPieces: () => process.stdin.setEncoding('utf8') as AsyncIterable<string>,
    interactive: stderr.isTTY && !isSwitchedOn(env['CI']) && env['TERM'] !== 'dumb',
    exitNow: (code) => process.exit(code),
    onInterrupt: (listener) => {
      process.on('SIGINT', listener).on('SIGTERM', listener);
      return () => void process.off('SIGINT', listener).off('SIGTERM', listener);
    },
  };
}

/** Prints problems as `file:line:column: error: message`, with a code frame and the next step under it. */
export function printProblems(problems: readonly Problem[], io: Io): void {
  const color = createPaint(io.color && io.interactive);
  for (const problem of problems) {
    const label = problem.severity === 'error' ? color.red('error') : color.yellow('warning');
    io.err(`${terminalText(placeText(problem, io))}${label}: ${terminalText(problem.message)}\n`);
    if (problem.frame !== undefined) io.err(`${color.dim(indent(terminalText(problem.frame)))}\n`);
    if (problem.hint !== undefined) io.err(`  ${color.cyan('→')} ${terminalText(problem.hint)}\n`);
  }
}

/** With `--json` the data, else a text for people. */
export function printData(io: Io, options: { readonly json?: unknown }, data: unknown, text: () => string): void {
  io.out(options.json === true ? `${safeJsonText(data)}\n` : text());
}

/** Long enough for every list that a message may hold. */
const longestTerminalText = 20_000;

/** With the lines that it has. */
function terminalText(text: string): string {
  return inert(visible(capped(text, longestTerminalText, 'it was cut here')));
}

function placeText({ place }: Problem, io: Io): string {
  if (place === null) return 'chatspec: ';
  const shorter = relative(io.cwd, place.file);
  const file = shorter === '' || shorter.startsWith('..') ? place.file : shorter;
  return `${file}:${place.line}:${place.column}: `;
}

/** A path as people would write it: relative if that is shorter. */
export function displayPath(path: string, io: Io): string {
  const shorter = relative(io.cwd, path);
  return shorter !== '' && shorter.length < path.length ? shorter : path;
}

function indent(text: string): string {
  return text.replace(/^/gm, '  ');
}

/** "12,345.7", with at most so many digits behind the point. */
export function numberText(value: number, maximumFractionDigits = 0): string {
  return value.toLocaleString('en-US', { maximumFractionDigits });
}

/** "1 cell", "12,345 cells" */
export function amountText(value: number, noun: string): string {
  return `${numberText(value)} ${noun}${value === 1 ? '' : 's'}`;
}

/**
 * Does work that asks models. The first signal stops the asking, and what is being written is finished; the second ends
 * it.
 */
export async function untilInterrupted(io: Io, work: (signal: AbortSignal) => Promise<number>): Promise<number> {
  const controller = new AbortController();
  const stopListening = io.onInterrupt(() => {
    if (controller.signal.aborted) io.exitNow(exitCodes.interrupted);
    io.err('\nchatspec: interrupted; waiting for requests in flight (interrupt again to quit at once)\n');
    controller.abort();
  });
  try {
    return await work(controller.signal);
  } finally {
    stopListening();
  }
}

/** chatspec's own words: as keys of a test they would garble every message. */
const ownWords = /^(?:chatspec|simulator)$/;

/**
 * Finds the keys in use, as far as they can be known before a command line is read: above all the values of the
 * variables that the config names.
 */
export async function keysInUse(argv: readonly string[], io: Io): Promise<Masker> {
  const config = resolve(io.cwd, configIn(argv));
  const { env } = await readEnvironment([io.cwd, dirname(config)], io.env);
  const values = Object.fromEntries(Object.entries(env).filter(([, value = '']) => !ownWords.test(value)));
  const files = [...new Set([resolve(io.cwd, 'chatspec.yaml'), config])].map(readText);
  const texts = files.map((config) => (config.ok ? config.text : ''));
  // Without a config, what is called a key and looks like one is taken for a key.
  const likely = valuesNamedSecret(values).filter(looksLikeKey);
  return createMasker([...liveKeys(texts.join('\n'), values), ...likely]);
}

function configIn(argv: readonly string[]): string {
  const at = argv.lastIndexOf('--config');
  const joined = argv.findLast((argument) => argument.startsWith('--config='));
  return joined?.slice('--config='.length) ?? (at >= 0 ? argv[at + 1] : undefined) ?? 'chatspec.yaml';
}

/** Masks the keys in use and whatever else looks like a key, for texts of a program that the user starts. */
export async function keyMask(io: Io): Promise<(text: string) => string> {
  const keys = await keysInUse([], io);
  return (text) => withoutKeyLike(keys.mask(text));
}

/** The same terminal, on whose standard error no key appears, whatever a message repeats. */
export function maskedIo(io: Io, keys: Masker): Io {
  return keys.active ? { ...io, err: (text) => io.err(keys.mask(text)) } : io;
}
