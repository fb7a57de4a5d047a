import { readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { liveCommands } from '../../../test/support/live-commands.js';
import { acting, foreignElements, proseOf } from '../../../test/support/rendered-markdown.js';
import type { Attack, AttackResult } from '../attack.js';
import { inFolder } from '../attack-folder.js';
import { attackedCli } from '../attacked-cli.js';
import { serveApart } from '../serve-apart.js';

const note = {
  type: 'function',
  function: { name: 'note', parameters: { type: 'object', additionalProperties: false } },
};
const says = (content: string) => ({ messages: [{ role: 'user', content }] });
const suite = {
  suite: 'hostile',
  probes: {
    call: { request: { ...says('call'), tools: [note], tool_choice: 'required' } },
    refuse: { request: says('refuse') },
  },
};

export const attacks: readonly Attack[] = [
  { name: 'commands to build machines in every field', run: () => played('commands', '::error::x', noCommands) },
  { name: 'Markdown that fetches, links and pings', run: () => played('markup', '![x](http://h/p.png)\\|', noMarkup) },
  { name: 'ids and names of 5 MB', run: () => played('long', 'm', smallFiles) },
];

/** What a run left in its folder and printed. */
interface Left {
  readonly cwd: string;
  readonly printed: string;
  readonly markdown: string;
}

/** A run with a service that answers with one hostile text, and what is printed of it afterwards. */
async function played(
  text: string,
  model: string,
  judge: (left: Left) => AttackResult | Promise<AttackResult>,
): Promise<AttackResult> {
  const server = await serveApart('hostile-texts', [text]);
  const target = { base_url: server.baseUrl, models: [model, 'other'] };
  const config = { targets: { hostile: target }, suites: ['suite.yaml'], out: 'run' };
  try {
    return await inFolder({ 'chatspec.yaml': config, 'suite.yaml': suite }, async (cwd) => {
      const [run, doctor, evidence, diff] = [
        await attackedCli(['run', '--trials', '2', '--fail-on', 'never'], { cwd }),
        await attackedCli(['doctor'], { cwd }),
        text === 'long' ? null : await attackedCli(['evidence', 'run', `hostile/call@hostile/${model}`], { cwd }),
        await attackedCli(['diff', 'run', '--models', `hostile/${model}`, 'hostile/other', '--markdown'], { cwd }),
      ];
      const ends = [run, doctor, diff, ...(evidence === null ? [] : [evidence])];
      const report = await readFile(join(cwd, 'run', 'report.md'), 'utf8');
      const printed = ends.map(({ stdout, stderr }) => stdout + stderr).join('');
      return judge({ cwd, printed, markdown: `${report}\n${evidence?.stdout ?? ''}\n${diff.stdout}` });
    });
  } finally {
    await server.close();
  }
}

function noCommands({ printed, markdown }: Left): AttackResult {
  const live = liveCommands(`${printed}\n${markdown}`).length;
  return { held: live === 0, figure: `${live} live commands in ${printed.length.toLocaleString('en')} characters` };
}

function noMarkup({ markdown }: Left): AttackResult {
  const foreign = foreignElements(markdown).length;
  const acts = acting.test(proseOf(markdown));
  return { held: foreign === 0 && !acts, figure: `${foreign} images, links or other elements from data` };
}

async function smallFiles({ cwd, printed }: Left): Promise<AttackResult> {
  const kilobytes = async (name: string) => (await stat(join(cwd, 'run', name))).size / 1000;
  const files = ['index.html', 'report.md', 'junit.xml'];
  const sizes = await Promise.all(files.map(kilobytes));
  const shown = files.map((name, index) => `${name} ${(sizes[index] ?? 0).toFixed(0)} kB`).join(', ');
  return {
    held: sizes.every((size) => size < 1000) && printed.length < 100_000,
    figure: `${shown}, printed ${(printed.length / 1000).toFixed(0)} kB`,
  };
}
