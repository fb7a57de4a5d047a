import { isObject } from '../../json/json.js';
import type { ExchangeRecord } from '../../journal/event.js';
import { everything } from '../safe/capped.js';
import type { Redact } from '../safe/redact.js';
import { redactForeign } from '../safe/redact-values.js';

/** What a page without JavaScript shows of an exchange. */
export interface PlainExchange {
  readonly id: string;
  readonly status: number | null;
  /** The model that was asked; null: the request names none. */
  readonly model: string | null;
  /** The request without its model. Many models are sent the same, under the same number. */
  readonly request: { readonly number: number; readonly text: string };
  readonly response: string;
}

/** Characters of a request in the page's text. */
const longestRequest = 1500;
/** Characters of all responses together: a part for every page, and a part for each cell of the report. */
const room = { page: 400_000, cell: 80 };
/** Of one response: as many as there is room for, within these bounds. */
const bounds = { least: 300, most: 1500 };

/** Collects the exchanges that stand in the page as text. A request is a text of its own once, whatever the model. */
export function openPlain(
  redact: Redact,
  { exchanges, cells }: { readonly exchanges: number; readonly cells: number },
) {
  const share = Math.floor((room.page + room.cell * cells) / Math.max(1, exchanges));
  const most = Math.min(bounds.most, Math.max(bounds.least, share));
  const requests = new Map<string, PlainExchange['request']>();
  const all = new Map<string, PlainExchange>();
  return {
    /** @param response redacted */
    add({ id, exchange: { request, answer } }: ExchangeRecord, response: string): void {
      const { body } = request;
      const { model = null, ...rest } = isObject(body) ? body : {};
      const shared = isObject(body) ? rest : body;
      const raw = JSON.stringify(shared);
      let known = requests.get(raw);
      if (known === undefined) {
        const text = JSON.stringify(redactForeign(shared, redact), null, 2);
        known = { number: requests.size + 1, text: cut(text, longestRequest) };
        requests.set(raw, known);
      }
      const named = typeof model === 'string' ? redact(model) : null;
      all.set(id, { id, status: answer.status, model: named, request: known, response: cut(response, most) });
    },
    all: (): ReadonlyMap<string, PlainExchange> => all,
  };
}

/** The request as it was sent. */
export function wholeRequest({ model, request: { text } }: Pick<PlainExchange, 'model' | 'request'>): string {
  return model === null ? text : `{\n  "model": ${JSON.stringify(model)},${text.slice(1)}`;
}

/**
 * Request and response of each of these cells as one text. Cells with the same exchange share it, and a request that
 * stands in the page already is only named.
 * @param said numbers of the requests that stand in the page; those of this text are added
 */
export function plainText(
  cells: readonly { readonly key: string; readonly exchange: PlainExchange }[],
  said: Set<number>,
): string {
  const groups = new Map<string, { readonly keys: string[]; readonly exchange: PlainExchange }>();
  for (const { key, exchange } of cells) {
    const same = `${exchange.request.number} ${exchange.status} ${exchange.response}`;
    const group = groups.get(same) ?? { keys: [], exchange };
    groups.set(same, group);
    group.keys.push(key);
  }
  return [...groups.values()]
    .map(({ keys, exchange: { status, request, response } }) => {
      const isNew = !said.has(request.number);
      said.add(request.number);
      const asked = isNew ? `, with the model of the cell:\n${request.text}` : ', as above';
      return `${keys.join('\n')}\n\nRequest ${request.number}${asked}\n\nResponse${status === null ? '' : `, HTTP ${status}`}:\n${response}`;
    })
    .join('\n\n────────\n\n');
}

/** Says what it leaves out. */
export function cut(text: string, most: number): string {
  const over = text.length - most;
  return over <= 0 ? text : `${text.slice(0, most)}\n[... ${over.toLocaleString('en')} more characters; ${everything}]`;
}
