import type { Attack } from './attack.js';
import { inFolder } from './attack-folder.js';
import { attackedCli } from './attacked-cli.js';
import { serveApart } from './serve-apart.js';

const messages = [{ role: 'user', content: 'Say hello.' }];
const suite = { suite: 'hostile', probes: { one: { request: { messages, stream: true } } } };

export const attacks: readonly Attack[] = [
  {
    name: '130,000 choices in a chunk',
    run: () => endsWith('many-choices'),
  },
];

/** A run against one kind of answer ends with a report, whatever it says. */
async function endsWith(kind: string): ReturnType<Attack['run']> {
  const server = await serveApart('hostile-answers', [kind]);
  const config = {
    targets: { hostile: { base_url: server.baseUrl, limits: { timeout_s: 60 }, models: ['m'] } },
    suites: ['suite.yaml'],
  };
  try {
    return await inFolder({ 'chatspec.yaml': config, 'suite.yaml': suite }, async (cwd) => {
      const { code, stderr, seconds, peakMb } = await attackedCli(['run', '--fail-on', 'never'], { cwd });
      const bug = /this is a bug/i.test(stderr);
      return {
        held: !bug && (code === 0 || code === 3),
        figure: `exit ${code} in ${seconds.toFixed(1)} s, peak ${peakMb.toFixed(0)} MB${bug ? ', "this is a bug"' : ''}`,
      };
    });
  } finally {
    await server.close();
  }
}
