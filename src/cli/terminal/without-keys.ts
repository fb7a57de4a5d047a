import { dirname, resolve } from 'node:path';
import { liveKeys, readEnvironment } from '../../config/credentials.js';
import { looksLikeKey, withoutKeyLike } from '../../config/secrets.js';
import { readText } from '../../files/read-text.js';
import { createMasker, type Masker } from '../../masking/masker.js';
import type { Io } from './io.js';

const secretVariable = /key|token|secret|passw|credential/i;

/** chatspec's own words: as keys of a test they would garble every message. */
const ownWords = /^(?:chatspec|simulator)$/;

/**
 * Finds the keys in use, as far as they can be known before a command line is read: above all the values of the variables
 * that the config names.
 */
export async function keysInUse(argv: readonly string[], io: Io): Promise<Masker> {
  const config = resolve(io.cwd, configIn(argv));
  const { env } = await readEnvironment([io.cwd, dirname(config)], io.env);
  const values = Object.fromEntries(Object.entries(env).filter(([, value = '']) => !ownWords.test(value)));
  const files = [...new Set([resolve(io.cwd, 'chatspec.yaml'), config])].map(readText);
  const texts = files.map((config) => (config.ok ? config.text : ''));
  // Without a config, what is called a key and looks like one is taken for a key.
  const likely = Object.entries(values).filter(
    ([name, value = '']) => secretVariable.test(name) && looksLikeKey(value),
  );
  return createMasker([...liveKeys(texts.join('\n'), values), ...likely.map(([, value = '']) => value)]);
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
export function withoutKeys(io: Io, keys: Masker): Io {
  return keys.active ? { ...io, err: (text) => io.err(keys.mask(text)) } : io;
}
