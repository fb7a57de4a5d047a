import { type ClientTable, clientTable, type Met } from '../../clients/client-table.js';
import { didYouMean } from '../../files/problems/nearest.js';
import { userError } from '../../files/problems/problem.js';
import { oneLine } from '../../report/safe/escape.js';
import { jsonText } from '../../report/safe/visible-json.js';
import { simulate } from '../../simulator/index.js';
import { reference, tryClient, type UnusableProgram } from '../clients/try-client.js';
import { trialText } from '../clients/print-trial.js';
import { exitCodes } from '../errors/exit-codes.js';
import { actionOf, namesIn, wholeNumber } from '../options/options.js';
import { endText } from '../terminal/child-end.js';
import type { Io } from '../terminal/io.js';
import { keyMask } from '../terminal/without-keys.js';
import { untilInterrupted } from '../terminal/until-interrupted.js';
import type { Options } from '../verb.js';

/** Seconds. */
const usualLimit = 20;

/** `clients try -- CMD`: what the user's own client makes of every quirk and outcome class. */
export async function run(args: readonly string[], options: Options, io: Io): Promise<number> {
  const [asked = '', program, ...rest] = args;
  actionOf('clients', asked);
  if (program === undefined)
    throw userError('the command that makes the requests is missing', 'write it behind --, such as: -- node app.js');
  const limit = wholeNumber(options, 'time-limit', { least: 1, most: 3600 }) ?? usualLimit;
  const table = chosen(clientTable(), namesIn(options, 'quirks'));
  const mask = await keyMask(io);
  return untilInterrupted(io, async (signal) => {
    const tried = await tryClient(
      { command: [program, ...rest], timeLimit: limit * 1000, io, mask, signal },
      table,
      simulate,
    );
    if (signal.aborted) return exitCodes.interrupted;
    if ('unusable' in tried) throw unusable(mask(program), tried, limit);
    io.out(
      options['json'] === true
        ? `${jsonText({ command: [program, ...rest].map(mask), ...tried })}\n`
        : trialText(tried),
    );
    return exitCodes.ok;
  });
}

/** The quirks and classes of these names; all without names. Throws a UserError for a name that the table lacks. */
function chosen(
  { quirks, classes, unmeasured }: ClientTable,
  names: readonly string[] | undefined,
): Pick<ClientTable, 'quirks' | 'classes'> {
  if (names === undefined) return { quirks, classes };
  const known = [...Object.keys(quirks), ...Object.keys(classes)];
  const reasons = new Map(Object.values(unmeasured).flatMap((why) => Object.entries(why)));
  for (const name of names) {
    const why = reasons.get(name);
    if (why !== undefined) throw userError(`no model shows "${name}" to a client`, why);
    if (!known.includes(name))
      throw userError(`no model shows "${name}"`, didYouMean(name, known) ?? 'docs/clients.md lists them');
  }
  const only = (table: Readonly<Record<string, Met>>): Readonly<Record<string, Met>> =>
    Object.fromEntries(Object.entries(table).filter(([name]) => names.includes(name)));
  return { quirks: only(quirks), classes: only(classes) };
}

function unusable(program: string, { unusable: { code, endedBy, lastLine, answers } }: UnusableProgram, limit: number) {
  const what = oneLine(program);
  if (code === null)
    return userError(`${what} did not end within ${limit} s with the reference`, 'give it more with --time-limit');
  if (code !== 0)
    return userError(
      `${what} ${endText(code, endedBy)} with the reference${lastLine === '' ? '' : `: ${oneLine(lastLine)}`}`,
      'it must work with right answers before anything can be said about others',
    );
  return userError(
    `${what} sent no request${answers.length === 0 ? '' : ' that was answered'} to chatspec (${reference})`,
    'let it take its address from OPENAI_BASE_URL or CHATSPEC_BASE_URL, and its key from OPENAI_API_KEY',
  );
}
