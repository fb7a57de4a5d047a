import { inflateRawSync } from 'node:zlib';
import type { CellView } from '../../src/report/page/cell-view.js';
import type { ShownExchange } from '../../src/report/page/page-data.js';

/** What a page shows on demand. */
export function pageDataIn(html: string): {
  readonly cells: readonly CellView[];
  readonly exchanges: readonly ShownExchange[];
  readonly texts: readonly string[];
} {
  const [, packed = ''] = /<template id="data">([^<]*)</.exec(html) ?? [];
  return JSON.parse(inflateRawSync(Buffer.from(packed, 'base64')).toString('utf8')) as ReturnType<typeof pageDataIn>;
}
