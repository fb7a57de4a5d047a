import { expect, test } from 'vitest';
import { aReport, aReportCell, aReportModel } from '../../../test/support/build.js';
import type { Recommendation } from '../../matrix/report-format.js';
import { renderTerminal } from './render-terminal.js';

const recommendation = (changes: Partial<Recommendation>): Recommendation => ({
  ...{ model: 'demo/one', need: 'structured', form: 'json_schema', settings: {}, because: 'it passes' },
  ...{ alternatives: [], ...changes },
});
const ofModel = (model: string): readonly Recommendation[] => [
  recommendation({ model, need: 'plain_text', form: 'chat' }),
  recommendation({ model }),
  recommendation({ model, need: 'tool_call', form: 'tools', caveats: ['schema ignored: validate'] }),
];

async function printed(recommendations: readonly Recommendation[]): Promise<string> {
  const models = [...new Set(recommendations.map(({ model }) => model))].map((id) => aReportModel(id));
  const cells = models.map(({ id }) => aReportCell({ model: id }));
  const context = { redact: (text: string) => text, color: false, columns: 200, folder: null } as never;
  const text = await renderTerminal(aReport({ models, cells, recommendations }), context);
  return text.slice(text.indexOf('Recommendations'));
}

test('what needs no advice is named too: nobody should take a form that is left out for one that fails', async () => {
  expect(await printed(ofModel('demo/one'))).toContain(
    '  Also recommended:\n    Plain text: chat\n    Fixed fields (a schema): json_schema\n',
  );
  const three = ['demo/one', 'demo/two', 'demo/three'].flatMap(ofModel);
  expect(await printed(three)).toContain('Plain text: chat\n    Fixed fields (a schema): json_schema\n');
  const lame = [
    ...ofModel('demo/one'),
    ...ofModel('demo/two').slice(0, 1),
    recommendation({ model: 'demo/two', form: null, because: 'nothing passes' }),
  ];
  expect(await printed(lame)).toContain('Plain text: chat\n    Fixed fields (a schema): json_schema (demo/one)');
});

test('settings are named, and models that differ in them stand apart', async () => {
  const object = { tool_choice: 'object' };
  const found = await printed([
    ...ofModel('demo/one').slice(2),
    recommendation({ model: 'demo/two', need: 'free_json', form: 'json_object' }),
    recommendation({ model: 'demo/three', need: 'free_json', form: 'json_object', settings: object }),
  ]);
  expect(found).toContain('Any JSON object: json_object (demo/two), json_object tool_choice=object (demo/three)');
});
