import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as after } from 'node:timers/promises';
import { readJournal } from '../../src/journal/read-journal.js';
import { startSimulator } from '../../src/simulator/index.js';
import { serveHttp } from './loopback.js';

/** The embedded service behind a proxy of its own, which outlives the runs that use it. */
export interface CountedService {
  readonly baseUrl: string;
  /** Every body received, in order of arrival. */
  readonly bodies: readonly string[];
  /** Resolves once so many bodies have been received since the start. */
  readonly reached: (count: number) => Promise<void>;
  readonly close: () => Promise<void>;
}

/**
 * A service whose answer depends only on the body, as with a seed: asking again gives the same answer, so the report is
 * the same only if nothing was lost and nothing was asked needlessly.
 */
export async function serveCounted(seed: number): Promise<CountedService> {
  const simulator = await startSimulator({ seed });
  const bodies: string[] = [];
  const waiting: { readonly count: number; readonly go: () => void }[] = [];
  const service = await serveHttp((_request, response, body) => {
    bodies.push(body);
    for (const one of waiting) if (bodies.length >= one.count) one.go();
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
    bodies,
    reached: (count) =>
      new Promise((go) => {
        if (bodies.length >= count) go();
        else waiting.push({ count, go });
      }),
    close: async () => {
      await service.close();
      await simulator.close();
    },
  };
}

/** Number of times that each text occurs. */
export function counts(texts: Iterable<string>): Map<string, number> {
  const times = new Map<string, number>();
  for (const text of texts) times.set(text, (times.get(text) ?? 0) + 1);
  return times;
}

/** The request bodies in the complete lines of a run folder's journal. */
export async function journaledBodies(folder: string): Promise<string[]> {
  const file = join(folder, 'journal.jsonl');
  const bodies: string[] = [];
  if (!existsSync(file)) return bodies;
  for await (const line of readJournal(file)) {
    if (line.type === 'exchange') bodies.push(JSON.stringify(line.exchange.request.body));
  }
  return bodies;
}

/** Numbers from 0 (inclusive) to 1 (exclusive), the same for the same seed. */
export function seededShares(seed: number): () => number {
  let drawn = 0;
  return () => {
    drawn += 1;
    return createHash('sha256').update(`${seed}/${drawn}`).digest().readUInt32BE(0) / 2 ** 32;
  };
}

/** A report file without the parts that may differ between two runs of the same plan: ids, times and folders. */
export function withoutIdsAndTimes(text: string): string {
  return text
    .replace(/\be\d{6}\b/g, '<exchange>')
    .replace(/\d{4}(?:\\*-\d\d){2}T\d\d:\d\d:\d\d(\.\d{3})?Z/g, '<time>')
    .replace(/(?<![\w-])[0-9a-f]{16}(?![\w-])/g, '<run>')
    .replace(/("created\\?": ?)\d+/g, '$1<time>')
    .replace(/ time="[\d.]+"/g, '')
    .replace(/("p(?:50|95)": ?)[\d.]+/g, '$1<time>')
    .replace(/("(?:spread|headers_ms|first_content_ms|total_ms)": ?)\[[^\]]*\]/g, '$1<time>')
    .replace(/\b[\d.,]+ (ms|s|a second)\b/g, '<time> $1')
    .replace(/\d\d [A-Z][a-z]{2}, \d\d:\d\d/g, '<time>');
}
