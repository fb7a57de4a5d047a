import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Json } from '../src/json/json.js';

/** Failures in a hundred, one kind of cell each. */
export const flakes = [0, 1, 2, 3, 4, 5] as const;

export const modelNames = (count: number): readonly string[] =>
  Array.from({ length: count }, (_, index) => `nights-${index}`);

/**
 * Profiles of the embedded service whose cells flake as they say in their prompts, and a suite that asks them, half of
 * its probes twice: the plan of the simulated nights, for a service that answers over HTTP.
 * @param dead a cell of the last model that never passes; null: none
 */
export async function writeNights(
  folder: string,
  models: number,
  cells: number,
  dead: string | null = null,
): Promise<{ profiles: string; suite: string }> {
  const profiles = join(folder, 'profiles');
  await mkdir(profiles, { recursive: true });
  const names = modelNames(models);
  await writeFile(
    join(profiles, 'nights.yaml'),
    JSON.stringify({
      profiles: names.map((id, index) => ({
        id,
        summary: 'Leaves an answer empty as often as the prompt says.',
        source: 'the nights without change',
        traits: {},
        faults: [
          ...flakes.filter(Boolean).map((percent) => ({
            when: { prompt: `flake ${percent}\\b`, rate: percent / 100 },
            do: { content: '' },
          })),
          ...(dead !== null && index === names.length - 1
            ? [{ when: { prompt: `${dead}\\b` }, do: { content: '' } }]
            : []),
        ],
      })),
    }),
  );
  const suite = join(folder, 'nights.yaml');
  await writeFile(suite, JSON.stringify({ suite: 'nights', probes: probes(cells) }));
  return { profiles, suite };
}

function probes(count: number): Record<string, Json> {
  return Object.fromEntries(
    Array.from({ length: count }, (_, index) => {
      const content = `This is cell-${index}. Say hello (flake ${flakes[index % flakes.length] ?? 0}).`;
      const request = { messages: [{ role: 'user', content }] };
      return [`cell-${index}`, { request, trials: 1 + (Math.floor(index / flakes.length) % 2) }];
    }),
  );
}
