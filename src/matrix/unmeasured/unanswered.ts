import type { FailedRequests } from '../failed-requests.js';

type Kinds = FailedRequests['kinds'];

/** Requests to one model that have the same members. */
export interface RequestForm {
  /** `stream: true`, `tools`, `response_format: json_schema` */
  readonly members: readonly string[];
  readonly requests: number;
  /** Those that got a usable answer, whatever was made of it. */
  readonly answered: number;
  readonly failed: Kinds;
}

/** The requests of a cell that got no usable answer, those of its controls apart. */
export interface UnansweredCell {
  /** What all of them have. */
  readonly members: readonly string[];
  readonly failed: Kinds;
  /** Id of the first. */
  readonly exchange: string;
}

/** Which requests to a model got no usable answer, load included. */
export interface Unanswered {
  readonly forms: readonly RequestForm[];
  /** By cell. */
  readonly cells: ReadonlyMap<string, UnansweredCell>;
}

/** How requests ended, those of several sets together, the most frequent first. */
export function kindsTogether(all: readonly Kinds[]): Kinds {
  const found = new Map<string, Kinds[number]>();
  for (const one of all.flat()) {
    const name = `${one.kind} ${one.status ?? ''}`;
    found.set(name, { ...one, requests: one.requests + (found.get(name)?.requests ?? 0) });
  }
  return [...found]
    .sort(([a, one], [b, other]) => other.requests - one.requests || (a < b ? -1 : 1))
    .map(([, one]) => one);
}
