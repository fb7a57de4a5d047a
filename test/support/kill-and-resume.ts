import { createHash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as after } from 'node:timers/promises';
import type { JournalLine } from '../../src/journal/event.js';
import { startSimulator } from '../../src/simulator/index.js';
import { serveHttp } from './loopback.js';

/** The embedded service behind an address of its own, which outlives the runs that ask it. */
export interface CountedService {
  readonly baseUrl: string;
  /** Every body that came, in order of arrival. */
  readonly seen: readonly string[];
  /** Resolves when so many bodies have come since the service was started. */
  readonly reached: (count: number) => Promise<void>;
  readonly close: () => Promise<void>;
}

/**
 * A service whose answer depends on the body alone, as one with a seed does: whoever asks again is told the same, so a
 * report can be the same only when nothing was lost and nothing was asked that need not be.
 */
export async function serveCounted(seed: number): Promise<CountedService> {
  const simulator = await startSimulator({ seed });
  const seen: string[] = [];
  const waiting: { readonly count: number; readonly go: () => void }[] = [];
  const service = await serveHttp((_request, response, body) => {
    seen.push(body);
    for (const one of waiting) if (seen.length >= one.count) one.go();
    const digest = createHash('sha256').update(body).digest();
    const headers = { 'x-chatspec-trial': digest.toString('hex'), 'x-chatspec-attempt': '0' };
    void after(3 + (digest[0] ?? 0) / 16)
      .then(() => fetch(`${simulator.baseUrl}/chat/completions`, { method: 'POST', body, headers }))
      .then(async (answer) => {
        const text = await answer.text();
        response.writeHead(answer.status, { 'content-type': answer.headers.get('content-type') ?? 'text/plain' });
        response.end(text);
      })
      .catch(() => response.destroy());
  });
  return {
    baseUrl: service.baseUrl,
    seen,
    reached: (count) =>
      new Promise((go) => {
        if (seen.length >= count) go();
        else waiting.push({ count, go });
      }),
    close: async () => {
      await service.close();
      await simulator.close();
    },
  };
}

/** How often each text occurs. */
export function counts(texts: Iterable<string>): Map<string, number> {
  const times = new Map<string, number>();
  for (const text of texts) times.set(text, (times.get(text) ?? 0) + 1);
  return times;
}

/** The bodies of the exchanges that a run folder's journal holds in whole lines. */
export function journaledBodies(folder: string): string[] {
  const file = join(folder, 'journal.jsonl');
  if (!existsSync(file)) return [];
  const lines = readFileSync(file, 'utf8').split('\n').slice(0, -1);
  return lines
    .map((line) => JSON.parse(line) as JournalLine)
    .flatMap((line) => (line.type === 'exchange' ? [JSON.stringify(line.exchange.request.body)] : []));
}

/** Numbers from 0 (inclusive) to 1 (exclusive), the same for the same seed. */
export function seededShares(seed: number): () => number {
  let drawn = 0;
  return () => {
    drawn += 1;
    return createHash('sha256').update(`${seed}/${drawn}`).digest().readUInt32BE(0) / 2 ** 32;
  };
}

/** A report file without what may differ between two runs of the same plan: ids, times and folders. */
export function withoutIdsAndTimes(text: string): string {
  return text
    .replace(/\be\d{6}\b/g, '<exchange>')
    .replace(/\d{4}(?:\\*-\d\d){2}T\d\d:\d\d:\d\d(\.\d{3})?Z/g, '<time>')
    .replace(/(?<![\w-])[0-9a-f]{16}(?![\w-])/g, '<run>')
    .replace(/("created\\?": ?)\d+/g, '$1<time>')
    .replace(/ time="[\d.]+"/g, '');
}
