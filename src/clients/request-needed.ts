import { parameterless, type RequestKind, toolResult, usageAsked } from './request-kind.js';

/** How a program's requests would have to differ. */
export interface Need {
  /** All that the request must ask for. */
  readonly with: RequestKind;
  /** What the program's requests ask for and this one must not. */
  readonly without: RequestKind;
}

/**
 * The requests that would meet what none of those sent did: of the kinds that are known to meet it, those nearest to what
 * the program sends already. Empty where it sends such a one, or none is known, so that more cannot be said.
 */
export function needsOf(kinds: readonly RequestKind[], sent: readonly RequestKind[]): readonly Need[] {
  const steps = kinds.flatMap((kind) => sent.map((own) => ({ kind, own, far: distance(kind, own) })));
  const least = Math.min(...steps.map(({ far }) => far));
  if (least === 0) return [];
  const nearest = steps.filter(({ far }) => far === least);
  return [...new Set(nearest.map(({ kind }) => kind))].map((kind) => {
    // A request that asks for all of it and for more did not meet it either.
    const changed = sent.filter((own) => isWithin(kind, own) || distance(kind, own) === least);
    return { with: kind, without: [...new Set(changed.flatMap((own) => inTheWay(kind, own)))] };
  });
}

/** Which request would meet what none of these did, as the object of a sentence; null where that is not known. */
export function requestNeeded(kinds: readonly RequestKind[], sent: readonly RequestKind[]): string | null {
  const needs = needsOf(kinds, sent);
  return needs.length === 0 ? null : `a request ${needs.slice(0, mostNamed).map(needText).join(', or ')}`;
}

const mostNamed = 3;

function needText({ with: wanted, without }: Need): string {
  return [
    ...(wanted.length === 0 ? [] : [`with ${listed(wanted)}`]),
    ...(without.length === 0 ? [] : [`without ${listed([...new Set(without.map(inWords))])}`]),
  ].join(', ');
}

const inWords = (part: string): string => (part === parameterless ? 'tools without parameters' : fieldOf(part));

/** `tool_choice: required` -> `tool_choice`: a request without it has none of its values. */
const fieldOf = (part: string): string => part.split(':')[0] ?? part;

/** What one asks for and the other must not; a field that the other gives another value is no part of it. */
function inTheWay(kind: RequestKind, own: RequestKind): RequestKind {
  const fields = new Set(kind.map(fieldOf));
  const rest = own.filter((part) => !fields.has(fieldOf(part)));
  // Without tools nothing that speaks of tools is left, and without a stream nothing of its options.
  const gone = new Set([
    ...(rest.includes('tools') ? ofTools : []),
    ...(rest.includes('stream: true') ? [fieldOf(usageAsked)] : []),
  ]);
  return rest.filter((part) => !gone.has(fieldOf(part)));
}

const ofTools = new Set(['tool_choice', parameterless, 'parallel_tool_calls', toolResult]);

const isWithin = (part: RequestKind, whole: RequestKind): boolean => part.every((name) => whole.includes(name));

/** Parts that only one of them has. */
function distance(one: RequestKind, other: RequestKind): number {
  return [...one, ...other].filter((part) => !one.includes(part) || !other.includes(part)).length;
}

function listed(parts: RequestKind): string {
  return parts.length < 2 ? parts.join() : `${parts.slice(0, -1).join(', ')} and ${parts.at(-1) ?? ''}`;
}
