import { parseJson } from '../chat/parse-json.js';
import type { Reply } from '../chat/reply.js';
import { isObject, type Json } from '../json/json.js';
import { hasSameMembers, isSameJson } from '../json/merge-patch.js';
import type { Engine } from './expectation.js';
import { innerJson } from './json/wrapped-json.js';
import type { Conformance } from './schema/read-schema.js';
import type { ComparedAnswer } from './outcome.js';

/** With what the documents of a reply are compared, whatever the ladder says of it. */
export interface Comparison {
  readonly schemas: readonly Json[];
  readonly documents: readonly Json[];
}

interface ReadValue {
  readonly value: Json | undefined;
  readonly reply: Reply | null;
}

type CheckSchema = Engine['checkSchema'];
type DocumentComparison = ComparedAnswer['further'][number];

/**
 * Compares every document of a reply. Throws what the check throws.
 * @param isDamaged the text of the value is known to have come back otherwise than it was stated
 */
export function compareReplyDocuments(
  { value, reply }: ReadValue,
  comparison: Comparison,
  check: CheckSchema,
  isDamaged = false,
): ComparedAnswer {
  const compared = (document: Json): DocumentComparison => compareDocument(document, comparison, check);
  const calls = reply?.tool_calls ?? [];
  const further = calls.slice(1).flatMap(({ arguments: args }) => {
    const read = typeof args === 'string' ? parseJson(args) : null;
    return read?.ok === true ? [compared(read.value)] : [];
  });
  const text = typeof value === 'string' ? value : (reply?.content ?? '');
  // Otherwise the text is the document.
  const inText = value === undefined || typeof value === 'string' || calls.length > 0 ? documentIn(text) : undefined;
  return {
    value: value === undefined ? null : compared(value),
    further,
    inText: inText === undefined ? null : compared(inText),
    isGarbled: isDamaged || (value !== undefined && holdsReplaced(value)),
  };
}

function documentKind(document: Json): DocumentComparison['kind'] {
  if (isObject(document)) return 'object';
  return typeof document === 'string' ? 'text' : 'other';
}

function compareDocument(document: Json, { schemas, documents }: Comparison, check: CheckSchema): DocumentComparison {
  return {
    kind: documentKind(document),
    under: schemas.map((schema) => schemaResultOf(check(document, schema))),
    is: documents.map((other) => isSameJson(document, other)),
    hasMembersOf: documents.map((other) => hasSameMembers(document, other)),
  };
}

function schemaResultOf(conformance: Conformance): DocumentComparison['under'][number] {
  return {
    conforms: conformance.kind === 'conforms',
    violations: conformance.kind === 'violates' ? conformance.violations : [],
  };
}

/** The document that a text is or, if it is none, the first one in it. */
function documentIn(text: string): Json | undefined {
  const read = parseJson(text);
  return read.ok ? read.value : innerJson(text);
}

const replacementCharacter = '\uFFFD';

function holdsReplaced(value: Json): boolean {
  if (typeof value === 'string') return value.includes(replacementCharacter);
  if (Array.isArray(value)) return (value as readonly Json[]).some(holdsReplaced);
  if (!isObject(value)) return false;
  return Object.entries(value).some(([name, member]) => name.includes(replacementCharacter) || holdsReplaced(member));
}
