import { isObject, type Json } from '../../../json/json.js';
import { visible } from '../../safe/escape.js';
import { type Redact, redactForeign } from '../../safe/redact.js';
import { schemasIn } from './decoded-answer.js';
import { gap, joined, type Rope, type TextShelf } from './text-shelf.js';

/** A request body as the store keeps it. */
export interface ShelvedRequest {
  readonly body: Rope;
  readonly schemas: readonly { readonly name: Rope; readonly text: Rope }[];
}

/**
 * Keeps request bodies. Models are asked the same, so a body is taken apart once, and only the name of its model is put in.
 * @param most characters of a body that is taken apart; a longer one is null
 */
export function openRequests(shelf: TextShelf, redact: Redact, most: number): (body: Json) => ShelvedRequest | null {
  const known = new Map<string, ShelvedRequest | null>();
  return (body) => {
    if (!isObject(body) || typeof body['model'] !== 'string') return shelved(body, shelf, redact, most);
    const common = JSON.stringify({ ...body, model: '' });
    let request = known.get(common);
    if (request === undefined) {
      request = shelved(body, shelf, redact, most);
      known.set(common, request);
    }
    if (request === null) return null;
    const name = visible(JSON.stringify(redact(body['model'])));
    return { ...request, body: joined(request.body.map((piece) => (piece === gap ? name : piece))) };
  };
}

function shelved(raw: Json, shelf: TextShelf, redact: Redact, most: number): ShelvedRequest | null {
  const body = redactForeign(raw, redact);
  const { length } = JSON.stringify(body, null, 2);
  if (length > most) return null;
  const schemas = schemasIn(body).map(({ name, schema }) => ({
    name: shelf.text(name),
    // The same text as in the body, which is kept once.
    text: shelf.text(JSON.stringify(schema, null, 2)),
  }));
  const hasModel = isObject(raw) && typeof raw['model'] === 'string';
  return { body: shelf.json(body, hasModel ? 'model' : undefined), schemas };
}
