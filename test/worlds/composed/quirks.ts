import type { Fault } from '../../../src/simulator/profiles/profile.js';

/**
 * Oddities of the wire that a careful client tolerates, by the name that a world's model lists. No verdict depends on
 * them.
 */
export const quirkFaults: Readonly<Record<string, Fault>> = {
  no_done: { when: { stream: true }, do: { drop_done: true } },
  comments: { when: { stream: true }, do: { comments: 'PROCESSING' } },
  null_ids: { when: { stream: true }, do: { null_ids: true } },
  null_fields: { when: { stream: true }, do: { null_fields: true } },
  no_indexes: { when: { stream: true }, do: { drop_indexes: true } },
  usage_in_content: { when: { stream: true }, do: { usage_in_content: true } },
  empty_finish: { when: { stream: true }, do: { empty_finish: true } },
  crlf: { when: { stream: true }, do: { line_ends: 'crlf' } },
  octet_stream: { when: { stream: false }, do: { headers: { 'content-type': 'application/octet-stream' } } },
};
