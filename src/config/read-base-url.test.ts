import { expect, test } from 'vitest';
import { readBaseUrl } from './read-base-url.js';
import { tableIn } from '../../test/support/cases.js';

test.each(tableIn('config', 'addresses taken') as readonly (readonly [string, string])[])(
  '%s is taken as what stands before /chat/completions',
  (written, baseUrl) => {
    expect(readBaseUrl(written)).toEqual({ ok: true, baseUrl });
  },
);

test.each(tableIn('config', 'addresses refused') as readonly (readonly [string, string])[])(
  '%s is refused in favour of %s',
  (written, right) => {
    const read = readBaseUrl(written);
    expect(read).toMatchObject({ ok: false });
    expect('hint' in read ? read.hint.split(',')[0] : '').toBe(`write ${right}`);
    expect(readBaseUrl(right)).toMatchObject({ ok: true });
  },
);
