import { resolve } from 'node:path';
import { formFaults, requestReader } from '../../body/request-reader.js';
import type { ProjectOptions } from '../../assemble/project.js';
import { type Environment, keyVariableFault } from '../../config/key-variables.js';
import { readBaseUrl } from '../../config/read-base-url.js';
import { type Problem, userError } from '../../files/problems/problem.js';
import { isObject, type JsonObject, writtenJson } from '../../json/json.js';
import { parseJson } from '../../chat/parse-json.js';
import { optionNames, type Options, optionText } from '../options/options.js';
import type { Io } from '../terminal/io.js';

const usualKey = 'CHATSPEC_API_KEY';

/** Seconds for a whole exchange, where no config says it. */
const usualTimeout = 120;

/** The part of a config that the command line gives, in place of a file or over one. */
export interface FromCommandLine extends Pick<ProjectOptions, 'text' | 'request' | 'rename'> {
  readonly warnings: readonly Problem[];
}

/**
 * `--base-url`, `--api-key-env` and the models as the text of a config; `--request` and `--rename` over each model.
 * Throws a UserError.
 * @param ids of the models; patterns among them are looked for in what the service lists
 */
export async function fromCommandLine(
  options: Options,
  ids: readonly string[],
  env: Environment,
): Promise<FromCommandLine> {
  const over = { request: await requestOf(options), rename: await renameOf(options) };
  const address = optionText(options, 'base-url');
  if (address === undefined) {
    if (optionText(options, 'api-key-env') === undefined) return { ...over, warnings: [] };
    throw userError('--api-key-env belongs to --base-url', 'in a config, api_key_env of the target names the variable');
  }
  const read = readBaseUrl(address.trim(), '--base-url');
  if (!read.ok) throw userError(read.message, read.hint);
  const isSimulated = read.baseUrl === 'simulator';
  const usual = (env[usualKey] ?? '').trim() === '' ? null : usualKey;
  const named = optionText(options, 'api-key-env');
  checkKeyVariable(named);
  const variable = named ?? usual;
  const keyless: Problem = {
    severity: 'warning',
    place: null,
    message: `${usualKey} is not set, so the requests carry no key`,
    hint: `export ${usualKey}=..., or name another variable with --api-key-env, unless the service needs no key`,
  };
  const target = {
    base_url: read.baseUrl,
    ...(variable !== null && { api_key_env: variable }),
    limits: { timeout_s: usualTimeout },
    models: ids.some((id) => /^!|\*/.test(id)) ? { listed: ids } : ids,
  };
  const text = writtenJson({ targets: { [isSimulated ? 'simulator' : 'service']: target } });
  return { text, ...over, warnings: variable === null && !isSimulated ? [keyless] : [] };
}

/** Throws a UserError, which does not show what may be the key itself. */
function checkKeyVariable(name: string | undefined): void {
  const fault = name === undefined ? null : keyVariableFault(name);
  if (fault === null) return;
  const why = fault === 'obeyed' ? `programs obey ${name ?? ''}` : 'this looks like the key itself';
  throw userError(`--api-key-env takes the name of a variable for a key alone; ${why}`, 'such as CHATSPEC_API_KEY');
}

/** Where such a config would stand: paths are relative to its folder. */
export const addressConfigFile = (io: Io): string => resolve(io.cwd, 'chatspec.yaml');

async function requestOf(options: Options): Promise<JsonObject> {
  const written = optionText(options, 'request');
  if (written === undefined) return {};
  const parsed = parseJson(written);
  if (!parsed.ok || !isObject(parsed.value)) {
    throw userError('--request takes a JSON object', `such as --request '{"temperature": 0}'`);
  }
  await refuseUnfit('--request', parsed.value);
  return parsed.value;
}

async function renameOf(options: Options): Promise<Readonly<Record<string, string>>> {
  const pairs = (optionNames(options, 'rename') ?? []).map((text): [string, string] => {
    const [, from, to] = /^([\w.-]+)=([\w.-]+)$/.exec(text) ?? [];
    if (from !== undefined && to !== undefined) return [from, to];
    throw userError(`--rename takes OLD=NEW, not "${text}"`, '--rename max_tokens=max_completion_tokens');
  });
  for (const name of pairs.flat()) await refuseUnfit('--rename', { [name]: null });
  return Object.fromEntries(pairs);
}

async function refuseUnfit(option: string, patch: JsonObject): Promise<void> {
  const [fault] = formFaults(await requestReader(), patch, 'patch').filter(({ severity }) => severity === 'error');
  if (fault !== undefined) throw userError(`${option}: ${fault.path.join('.')}: ${fault.message}`, fault.hint);
}
