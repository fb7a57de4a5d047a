import { nearest } from '../files/problems/nearest.js';

export type BaseUrl =
  | { readonly ok: true; readonly baseUrl: string }
  | { readonly ok: false; readonly message: string; readonly hint: string };

/** Accepts `simulator` and http(s) addresses whose path ends in /v1. For anything else it suggests what was meant. */
export function readBaseUrl(written: string): BaseUrl {
  if (written === 'simulator') return { ok: true, baseUrl: written };
  const url = URL.canParse(written) ? new URL(written) : null;
  if (url === null || (url.protocol !== 'http:' && url.protocol !== 'https:')) return noAddress(written);
  if (url.username !== '' || url.password !== '') {
    return refuse(
      'base_url contains a user name or password',
      'remove it; the key comes from the variable named in api_key_env',
    );
  }
  const corrected = `${url.origin}${correctedPath(url.pathname)}`;
  if (url.search !== '' || url.hash !== '') {
    return refuse('base_url contains a query or a fragment (? or #)', `write ${corrected}`);
  }
  if (!/\/v1\/*$/.test(url.pathname)) return refuse('base_url must end in /v1', `write ${corrected}`);
  return { ok: true, baseUrl: corrected };
}

function noAddress(written: string): BaseUrl {
  if (nearest(written, ['simulator']) !== null)
    return refuse('base_url is not an address', 'did you mean "simulator"?');
  const hint = /^[\w.-]+(:\d+)?(\/\S*)?$/.test(written)
    ? `write https://${written.replace(/\/+$/, '').replace(/(\/v1)?$/, '/v1')}`
    : 'write an address such as https://service.example/v1, or simulator for the embedded service';
  return refuse('base_url is not an http or https address', hint);
}

/** The path up to its last `v1`; `/v1` is appended where there is none, replacing the name of an endpoint. */
function correctedPath(path: string): string {
  const bare = path.replace(/\/+$/, '').replace(/\/(chat\/completions|completions|messages|models)$/, '');
  const upToV1 = /^(.*\/v1)(\/|$)/.exec(bare)?.[1];
  return upToV1 ?? `${bare}/v1`;
}

function refuse(message: string, hint: string): BaseUrl {
  return { ok: false, message, hint };
}
