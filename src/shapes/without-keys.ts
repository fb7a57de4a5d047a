import { decodedPart, type Mask, maskedJson } from '../masking/mask-json.js';
import type { CapturedRequest, RequestShape } from './shape.js';

/** A request without keys, wherever they stand but in the URL, whose parts `shownPath` masks. */
export function requestWithoutKeys({ method, url, headers, body }: CapturedRequest, mask: Mask): CapturedRequest {
  const shown = Object.entries(headers).map(([name, value]) => [mask(name), mask(schemeOnly(name, value))] as const);
  return { method, url, headers: Object.fromEntries(shown), body: maskedJson(body, mask) };
}

/** Of a credential, only how it is sent. */
const schemeOnly = (name: string, value: string): string =>
  name === 'authorization' ? value.replace(/ .*$/s, ' ?') : value;

/** A shape of a file that somebody else may have written. The hashes of schemas look like keys. */
export function shapeWithoutKeys(shape: RequestShape, mask: Mask): RequestShape {
  const { call, request, libraries, headers, body, schemas } = shape;
  const [method = '', path = '', query] = request.split(/[ ?]/);
  return {
    ...(maskedJson({ call, libraries, headers, body }, mask) as Pick<
      RequestShape,
      'call' | 'libraries' | 'headers' | 'body'
    >),
    request: `${method} ${shownPath(path, mask)}${query === undefined ? '' : `?${mask(query)}`}`,
    schemas: Object.fromEntries(Object.entries(schemas).map(([name, hash]) => [mask(name), hash])),
  };
}

/** Ids as services make them up: `12345`, `file-abc123`, a UUID, or a long run of letters and digits. */
const id =
  /^(?:\d+|(?:file|chatcmpl|cmpl|resp|batch|upload|part|ftjob|asst|thread|run|step|msg|vs|conv)[-_](?:(?=[A-Za-z]*\d)[A-Za-z\d]{4,}|[A-Za-z\d]{16,})|[\da-f]{8}-(?:[\da-f]{4}-){3}[\da-f]{12}|(?=[A-Za-z]*\d)[A-Za-z\d]{16,})$/i;

/** A path in which ids make no difference, without keys. */
export function shownPath(path: string, mask: Mask): string {
  return path
    .split('/')
    .map((part) => {
      const read = decodedPart(part);
      if (id.test(read)) return '{id}';
      const shown = mask(read);
      return shown === read ? part : shown;
    })
    .join('/');
}
