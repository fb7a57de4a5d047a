import { readFileSync } from 'node:fs';
import { parse } from 'yaml';
import type { Json, JsonObject } from '../../src/json/json.js';
import { derive, explicit } from '../../src/judge/derived-expectation.js';
import type { Expectation } from '../../src/judge/expectation.js';

/** An exchange of fixtures/recordings, with what was expected of it. */
export interface Recorded {
  readonly name: string;
  readonly request: Json;
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  readonly expectation: Omit<Expectation, 'rules'> & { readonly rules: readonly [] };
}

interface Written {
  readonly schemas: Readonly<Record<string, Json>>;
  readonly outcomes: Readonly<Record<string, { readonly expect?: JsonObject }>>;
}

const folder = 'fixtures/recordings';
const textOf = (name: string): string => readFileSync(`${folder}/${name}`, 'utf8');

/** The exchanges that test/conformance/recordings.test.ts judges, under the same expectations. */
export function recordedExchanges(): readonly Recorded[] {
  const { schemas, outcomes } = parse(textOf('outcomes.yaml')) as Written;
  return textOf('exchanges.jsonl')
    .trimEnd()
    .split('\n')
    .map((line) => {
      const recorded = JSON.parse(line) as Omit<Recorded, 'expectation'>;
      const { schema = null, ...rest } = outcomes[recorded.name]?.expect ?? {};
      const against =
        schema === 'request' ? schemaIn(recorded.request) : typeof schema === 'string' ? schemas[schema]! : schema;
      return { ...recorded, expectation: { ...expectingText, ...rest, schema: against } };
    });
}

function schemaIn(request: Json): Json {
  const { response_format: format } = request as {
    readonly response_format?: { readonly json_schema?: { readonly schema?: Json } };
  };
  return format?.json_schema?.schema ?? null;
}

const expectingText: Recorded['expectation'] = { ...explicit(derive({}), {}), rules: [] };
