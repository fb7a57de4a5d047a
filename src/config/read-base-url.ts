import { urlOf } from '../json/url-of.js';
import { nearest } from '../files/problems/nearest.js';

type BaseUrl = { readonly ok: true; readonly baseUrl: string } | ({ readonly ok: false } & BaseUrlFault);

interface BaseUrlFault {
  readonly message: string;
  readonly hint: string;
}

/**
 * Reads what stands before `/chat/completions`: `simulator`, or an http(s) address with whatever path the vendor chose.
 * Refuses only what is surely no such address, with the address that was probably meant. Whether a host without a path
 * wants one is known only once it is asked.
 * @param name where it was written: the member of a config, or an option
 */
export function readBaseUrl(written: string, name = 'base_url'): BaseUrl {
  if (written === 'simulator') return { ok: true, baseUrl: written };
  const url = urlOf(written);
  if (url === null || (url.protocol !== 'http:' && url.protocol !== 'https:')) return refuse(noAddress(written, name));
  if (url.username !== '' || url.password !== '') {
    return refuse({
      message: `${name} contains a user name or password`,
      hint: 'remove it; the key comes from the variable named in api_key_env',
    });
  }
  const path = url.pathname.replace(/\/+$/, '');
  const other = otherAddress(path);
  const right = `${url.origin}${other?.right ?? path}`;
  if (url.search !== '' || url.hash !== '') {
    return refuse({ message: `${name} contains a query or a fragment (? or #)`, hint: `write ${right}` });
  }
  if (other !== null) return refuse({ message: `${name} ${other.message}`, hint: `write ${right}${other.unless}` });
  return { ok: true, baseUrl: right };
}

interface OtherAddress {
  /** Behind the name of the member or the option. */
  readonly message: string;
  /** The path to write instead. */
  readonly right: string;
  readonly unless: string;
}

/** Paths at which no service has its Chat Completions base address. */
function otherAddress(path: string): OtherAddress | null {
  const beforeEndpoint = /^(.*)\/chat\/completions$/i.exec(path)?.[1];
  if (beforeEndpoint !== undefined) {
    const message = 'is the full endpoint; it takes what stands before /chat/completions';
    return { message, right: beforeEndpoint.replace(/\/+$/, ''), unless: '' };
  }
  const messagesStyle =
    /^(.*?)(?:\/anthropic)?((?:\/v\d+)?\/messages)$/i.exec(path) ?? /^(.*)\/anthropic()$/i.exec(path);
  if (messagesStyle === null) return null;
  const [, before = '', ending = ''] = messagesStyle;
  const version = /^\/v\d+/i.exec(ending)?.[0] ?? '/v1';
  return {
    message: 'is a Messages-style address; chatspec asks the Chat Completions interface',
    right: `${before.replace(/\/v\d+$/i, '')}${version}`,
    unless: ', unless the service documents another Chat Completions address',
  };
}

function noAddress(written: string, name: string): BaseUrlFault {
  if (nearest(written, ['simulator']) !== null) {
    return { message: `${name} is not an address`, hint: 'did you mean "simulator"?' };
  }
  const bare = written.replace(/\/+$/, '').replace(/\/chat\/completions$/i, '');
  const hint = /^[\w.-]+(:\d+)?(\/\S*)?$/.test(written)
    ? `write ${isLoopback(bare) ? 'http' : 'https'}://${bare}${bare.includes('/') ? '' : '/v1'}`
    : 'write an address such as https://service.example/v1, or simulator for the embedded service';
  return { message: `${name} is not an http or https address`, hint };
}

const isLoopback = (address: string): boolean => /^(?:localhost|127\.\d+\.\d+\.\d+)(?:[:/]|$)/.test(address);

function refuse(fault: BaseUrlFault): BaseUrl {
  return { ok: false, ...fault };
}
