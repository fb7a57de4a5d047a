import type { Exchange } from '../../../chat/exchange.js';
import { isObject, type Json } from '../../../json/json.js';
import { curlHead } from '../../evidence/curl.js';
import { pathOf } from '../../../judge/application/exchange-facts.js';
import { capped } from '../../safe/capped.js';
import { visible } from '../../safe/escape.js';
import type { Redact } from '../../safe/redact.js';
import { redactForeign } from '../../safe/redact-values.js';
import { cut } from '../plain-exchange.js';
import { schemasIn } from './decoded-answer.js';
import type { Pack } from './pack.js';
import { numbersIn, type Rope, type TextShelf } from './text-shelf.js';

/** A request, but for the name of its model: models are asked the same. */
interface StoredRequest {
  readonly path: Rope;
  /** With a gap where the model is named. */
  readonly body: Rope;
  /** null: the body is too long to be repeated. */
  readonly curl: Rope | null;
  readonly schemas: readonly { readonly name: Rope; readonly text: Rope }[];
}

export interface ShelvedRequest {
  /** Its item in the store. */
  readonly number: number;
  /** The items that are needed to show it, its own among them. */
  readonly uses: readonly number[];
  /** What stands in the gap. */
  readonly model: string;
}

/** Requests that differ all the time, such as in a header, are not worth remembering. */
const mostKnown = 3000;

/**
 * Keeps requests. One is taken apart and stored once for all models.
 * @param most characters of a body that is taken apart; of a longer one the beginning is kept
 */
export function openRequests(
  pack: Pack,
  shelf: TextShelf,
  redact: Redact,
  most: number,
): (request: Exchange['request']) => ShelvedRequest {
  const known = new Map<string, Omit<ShelvedRequest, 'model'>>();
  return (request) => {
    const { url, headers, body } = request;
    const model = isObject(body) && typeof body['model'] === 'string' ? body['model'] : null;
    const common = JSON.stringify([url, headers, isObject(body) && model !== null ? { ...body, model: '' } : body]);
    let shelved = known.get(common);
    if (shelved === undefined) {
      const stored = storedRequest(request, model !== null, { shelf, redact, most });
      const number = pack.add(stored);
      const { path, body: text, curl, schemas } = stored;
      const ropes = [path, text, curl, ...schemas.flatMap((schema) => [schema.name, schema.text])];
      shelved = { number, uses: [number, ...numbersIn(ropes)] };
      // What is kept of a longer one names its model.
      if (curl !== null && known.size < mostKnown) known.set(common, shelved);
    }
    return { ...shelved, model: model === null ? '' : visible(JSON.stringify(redact(model))) };
  };
}

function storedRequest(
  request: Exchange['request'],
  hasModel: boolean,
  { shelf, redact, most }: { readonly shelf: TextShelf; readonly redact: Redact; readonly most: number },
): StoredRequest {
  const body: Json = redactForeign(request.body, redact);
  const url = redact(request.url);
  const path = shelf.text(capped(pathOf(url)));
  const printed = JSON.stringify(body, null, 2);
  if (printed.length > most) return { path, body: shelf.text(cut(printed, most)), curl: null, schemas: [] };
  return {
    path,
    body: shelf.json(body, hasModel ? 'model' : undefined),
    curl: shelf.text(curlHead({ ...request, url })),
    schemas: schemasIn(body).map(({ name, schema }) => ({
      name: shelf.text(name),
      // The same text as in the body, which is kept once.
      text: shelf.text(JSON.stringify(schema, null, 2)),
    })),
  };
}
