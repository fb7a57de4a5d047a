import { coveredBy, free, partsOf, type Choice } from './choice.js';
import type { Evidence } from './evidence.js';
import type { Standard } from './standards.js';

/** What shows in the request itself, so that a client has one value or the other of it. */
const everyRequestHas = ['stream', 'json_word', 'tools'] as const;

/**
 * The choice, narrowed where it would speak for requests that were not asked with these settings although they fail, or
 * were asked, with others. Whoever leaves out all failing streams by asking for more tokens has not shown that streams
 * pass with them. The choice itself where there is nothing to narrow.
 */
export function asFarAsAsked(
  choice: Choice,
  holding: readonly Evidence[],
  all: readonly Evidence[],
  isGood: Standard['isGood'],
): Choice {
  const others = coveredBy(free, all).filter((one) => !holding.includes(one));
  const hasSettings = partsOf(choice).some(({ name }) => !everyRequestHas.some((one) => one === name));
  const optional = new Set(holding.flatMap((one) => [...one.optional]));
  for (const name of [...everyRequestHas, ...optional]) {
    const values = new Set(holding.map(({ labels }) => labels[name]));
    if (!optional.has(name)) values.delete(undefined);
    const [only] = values;
    if (name in choice.labels || only === undefined || values.size > 1) continue;
    // A setting that is not sent has a value as well: that of the service.
    const left = others.filter(
      ({ labels }) => (labels[name] !== undefined || optional.has(name)) && labels[name] !== only,
    );
    if (left.some((one) => !isGood(one)) || (hasSettings && name === 'stream' && left.length > 0))
      return { ...choice, labels: { ...choice.labels, [name]: only } };
  }
  return withinCaps(
    choice,
    holding,
    others.filter((one) => !isGood(one)),
  );
}

function withinCaps(choice: Choice, holding: readonly Evidence[], failing: readonly Evidence[]): Choice {
  const caps = holding.flatMap(({ cap }) => cap ?? []);
  if (choice.noCap || caps.length === 0) return choice;
  const [least, most] = [Math.min(...caps), Math.max(...caps)];
  const has = (test: (cap: number) => boolean): boolean => failing.some(({ cap }) => cap !== null && test(cap));
  if (choice.from === null && has((cap) => cap < least)) return { ...choice, from: least };
  const above = failing.flatMap(({ cap }) => (cap !== null && cap > most ? [cap] : []));
  if (choice.below === null && above.length > 0) return { ...choice, below: Math.min(...above) };
  return choice;
}
