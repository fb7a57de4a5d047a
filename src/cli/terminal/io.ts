import { inert } from '../../report/safe/escape.js';

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
  /** Calls the listener on SIGINT and SIGTERM; returns a function that stops listening. */
  readonly onInterrupt: (listener: (signal: string) => void) => () => void;
  /** Ends the program at once. */
  readonly exitNow: (code: number) => void;
}

/**
 * The same, but whatever is printed commands no build machine that reads it. Printers escape what others wrote, since the
 * width of a line depends on it; this is for texts that nobody thought of.
 */
export function withoutCommands(io: Io): Io {
  return { ...io, out: (text) => io.out(inert(text)), err: (text) => io.err(inert(text)) };
}

/** `NO_COLOR` with any value wins; `FORCE_COLOR` switches on, or off with 0 or false; else a terminal decides. */
export function showsColor(env: Io['env'], isTerminal: boolean): boolean {
  if (env['NO_COLOR']) return false;
  const forced = env['FORCE_COLOR'];
  if (forced !== undefined && forced !== '') return isOn(forced);
  return isTerminal && env['TERM'] !== 'dumb';
}

/** As build machines write it: anything but nothing, 0 and false. */
export function isOn(value: string | undefined): boolean {
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
    color: showsColor(env, stdout.isTTY),
    columns: stdout.columns || Number(env['COLUMNS']) || 80,
    input: async () => {
      let text = '';
      process.stdin.setEncoding('utf8');
      for await (const chunk of process.stdin) text += String(chunk);
      return text;
    },
    interactive: stderr.isTTY && !isOn(env['CI']) && env['TERM'] !== 'dumb',
    exitNow: (code) => process.exit(code),
    onInterrupt: (listener) => {
      process.on('SIGINT', listener).on('SIGTERM', listener);
      return () => void process.off('SIGINT', listener).off('SIGTERM', listener);
    },
  };
}
