import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { simulate } from '../../src/simulator/index.js';
import { chatspec, writeFiles } from '../support/cli.js';
import { lastingFolder } from '../support/lasting-folder.js';

/** One fault is told as one cause, and two as two: after a night that was accepted comes one with these faults. */

type Fault = { readonly when: object; readonly do: object };
const cells = 'json-*,tools/*,tool-choice/*,streaming/*,schema/composite,flow/*';
const documents = { response_format: ['json_schema', 'json_object'] };
const refusal = (message: string) => ({ respond: { status: 400, body: { error: { message } } } });

const faults = {
  'text-behind-documents': { when: documents, do: { suffix: '\nHope this helps!' } },
  'text-behind-everything': { when: {}, do: { suffix: '\nHope this helps!' } },
  'code-fence': { when: documents, do: { fence: 'json' } },
  'cut-documents': { when: {}, do: { cut_document: 0.6 } },
  'missing-member': { when: {}, do: { break_document: 'drop_member' } },
  'all-strings': { when: {}, do: { break_document: 'all_strings' } },
  'wrong-type': { when: {}, do: { break_document: 'wrong_type' } },
  'double-encoded': { when: {}, do: { double_encode: true } },
  'no-calls': { when: { tools: true }, do: { drop_calls: 'I have done it.' } },
  'other-function': { when: { tools: true }, do: { rename_function: 'fn' } },
  'no-content': { when: documents, do: { content: '' } },
  'object-refused': { when: { tool_choice: ['object'] }, do: refusal('tool_choice must be a string') },
  'tools-refused': { when: { tools: true }, do: refusal('tools are not supported') },
  'streams-crash': {
    when: { stream: true },
    do: { respond: { status: 500, body: { error: { message: 'boom', type: 'server_error' } } } },
  },
} satisfies Readonly<Record<string, Fault>>;

/** The first one hides the second where both apply. */
const pairs: readonly (readonly [keyof typeof faults, keyof typeof faults])[] = [
  ['code-fence', 'no-calls'],
  ['streams-crash', 'code-fence'],
  ['object-refused', 'text-behind-documents'],
  ['other-function', 'no-content'],
  ['tools-refused', 'code-fence'],
  ['object-refused', 'streams-crash'],
  ['no-content', 'object-refused'],
  ['other-function', 'streams-crash'],
];
const ofDocuments = (fault: Fault): Fault => ({ ...fault, when: documents });
const ofTools = (fault: Fault): Fault => ({ ...fault, when: { tools: true } });

const models: readonly { readonly id: string; readonly faults: readonly Fault[]; readonly causes: number }[] = [
  ...Object.entries(faults).map(([id, fault]) => ({ id, faults: [fault], causes: 1 })),
  ...pairs.map(([one, other]) => ({ id: `${one}/${other}`, faults: [faults[one], faults[other]], causes: 2 })),
  ...[
    { id: 'a-member-and-a-type', faults: [ofDocuments(faults['missing-member']), ofTools(faults['wrong-type'])] },
    { id: 'more-and-less', faults: [faults['text-behind-documents'], ofTools(faults['cut-documents'])] },
  ].map((model) => ({ ...model, causes: 2 })),
];

describe('a night after one that was accepted', () => {
  let page: string;
  beforeAll(async () => {
    const cwd = await lastingFolder();
    const settings = { thinking: { default: null, enabled: { thinking: { type: 'enabled' } } } };
    const target = { base_url: { env: 'SERVICE' }, settings, limits: { concurrency: 16, retries: 1 } };
    await writeFiles(cwd, {
      'chatspec.yaml': JSON.stringify({
        targets: { demo: { ...target, models: models.map(({ id }) => id) } },
        ...{ suites: ['builtin:core'], baseline: 'baseline.yaml' },
      }),
    });
    const night = async (out: string, isBroken: boolean) => {
      const profiles = models.map(({ id, faults: own }) => ({
        id,
        extends: 'sim-reference',
        faults: isBroken ? own : [],
      }));
      const service = await simulate({ profiles: { profiles } });
      const env = { SERVICE: service.baseUrl };
      // Of a tool beside a schema, one fault of calls or of documents shows as the other one, too.
      const asked = ['--only', cells, '--skip', 'tools/with-json-schema*'];
      await chatspec(['run', ...asked, '--out', out, '--fail-on', 'never'], { cwd, env });
      await service.close();
    };
    await night('base', false);
    await chatspec(['baseline', 'accept', 'base'], { cwd });
    await night('broken', true);
    page = await readFile(join(cwd, 'broken', 'index.html'), 'utf8');
  });

  test.each(models)('tells $causes of $id', ({ id, causes }) => {
    const changes = [...page.matchAll(/data-change="(\w+)" data-model="([^"]*)"/g)].filter(
      ([, kind, some]) => kind !== 'wire' && kind !== 'doubt' && some?.split(' ').includes(`demo/${id}`),
    );
    expect(changes.map(([tag]) => tag)).toHaveLength(causes);
  });
});
