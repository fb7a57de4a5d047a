import { inflateRawSync } from 'node:zlib';

/** What a page shows on demand. */
export function pageDataIn(html: string): {
  readonly cells: readonly {
    readonly key: string;
    readonly exchanges: readonly string[];
    readonly violations: readonly string[];
    readonly good: { readonly day: string; readonly answer: number } | null;
  }[];
  readonly exchanges: readonly {
    readonly id: string;
    readonly request: number;
    readonly response: number;
    readonly answer: number | null;
  }[];
  readonly texts: readonly string[];
} {
  const [, packed = ''] = /<template id="data">([^<]*)</.exec(html) ?? [];
  return JSON.parse(inflateRawSync(Buffer.from(packed, 'base64')).toString('utf8')) as ReturnType<typeof pageDataIn>;
}
