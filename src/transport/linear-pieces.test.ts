import { expect, test } from 'vitest';
import { growth, mostGrowth } from '../../test/support/cpu-time.js';
import { aChunk } from '../../test/support/build.js';
import { createMasker } from '../masking/masker.js';
import { bodyReader } from './response-body.js';

const piece = Buffer.from(aChunk({ content: 'x' }).slice(0, 40));

test.each([
  ['text/event-stream', 'sk-in-many-pieces-71'],
  ['application/json', 'sk-in-many-pieces-71'],
])('a body of %s that comes in many small pieces is collected in linear time', (contentType) => {
  const pieces = (n: number): Buffer[] => Array.from({ length: n }, () => piece);
  const collect = (made: readonly Buffer[]): void => {
    const body = bodyReader({
      status: 200,
      ...{ contentType, contentEncoding: '', maxBytes: 1e9, masker: createMasker([]) },
      hasRoom: () => true,
      onProgress: () => undefined,
    });
    for (const one of made) body.write(one);
    void body.end(true);
  };
  expect(growth(pieces, 20_000, collect)).toBeLessThan(mostGrowth);
});
