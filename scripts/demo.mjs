// Renders docs/images/demo.svg from real runs of the built program against the embedded service: node scripts/demo.mjs
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

const program = fileURLToPath(new URL('../dist/cli/main.js', import.meta.url));
const columns = 80;
const rows = 24;
const seconds = 6;
const colours = {
  31: '#f47067',
  32: '#6bc46d',
  33: '#daaa3f',
  34: '#6cb6ff',
  36: '#56d4dd',
  90: '#909dab',
  2: '#909dab',
};

const config = `targets:
  demo:
    base_url: simulator
    models: [sim-reference, sim-object-500, sim-rf-prose]
suites: ['builtin:core']
baseline: baseline.yaml
`;

const files = {
  'chatspec.yaml': config,
  'order.yaml': `type: object
properties: { buyer: { type: string }, quantity: { type: integer }, total: { type: number } }
required: [buyer, quantity, total]
additionalProperties: false
`,
  'order.txt': 'Order 3 keyboards for Li Lei, 897.00 CNY in total.',
};

/** What is typed, and where of the output the picture begins. */
const scenes = [
  { command: 'chatspec check --model sim-object-500 --schema order.yaml --prompt @order.txt', from: null },
  { command: "chatspec run --only 'tool-choice/order' --only 'json-schema/simple'", from: null },
  { command: 'chatspec report reports/latest', from: /^(\u001b\[\d+m)*●/ },
  { command: 'chatspec baseline accept reports/latest', from: null },
  { command: "chatspec run --only 'tool-choice/order' --only 'json-schema/simple'", from: /Nothing has changed/ },
];

/** The picture as it should be. */
export function demo() {
  const folder = mkdtempSync(join(tmpdir(), 'chatspec-demo-'));
  try {
    for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text);
    return picture(scenes.map(({ command, from }) => [command, ...screen(output(command, folder), from)]));
  } finally {
    rmSync(folder, { recursive: true });
  }
}

function output(command, cwd) {
  const args = [...command.matchAll(/'([^']*)'|(\S+)/g)].slice(1).map(([, quoted, plain]) => quoted ?? plain);
  const env = { PATH: process.env.PATH, FORCE_COLOR: '1', COLUMNS: String(columns) };
  try {
    return execFileSync(process.execPath, [program, ...args], {
      cwd,
      env,
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore'],
    });
  } catch (error) {
    if (error.status !== 1) throw error;
    return `${error.stdout}(exit code 1)\n`;
  }
}

/** What differs from run to run stands as it was in one of them. */
function screen(text, from) {
  const lines = text
    .replace(/\d{4}-\d\d-\d\dT\d\d-\d\d-\d\d-\d{3}Z/g, '2026-11-20T03-17-00-000Z')
    .replaceAll(new Date().toISOString().slice(0, 10), '2026-11-20')
    .replace(/\b00-[0-9a-f]{32}-[0-9a-f]{16}-\d\d\b/g, '00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01')
    .replace(/\bchatcmpl-[0-9a-f]+/g, 'chatcmpl-4bf92f3577b34da6a3ce929d')
    .replace(/ +\d+ ms$/gm, (latency) => '12 ms'.padStart(latency.length))
    .replace(/\be\d{6}\b/g, 'e000042')
    .trimEnd()
    .split('\n')
    .flatMap(wrapped);
  const first = from === null ? 0 : lines.findIndex((line) => from.test(line));
  if (first < 0) throw new Error(`no line is like ${from}:\n${text}`);
  return lines.slice(first, first + rows - 2);
}

/** As a terminal does it, where nothing is coloured. */
const wrapped = (line) => (/\u001b/.test(line) ? [line] : (line.match(/.{1,86}/g) ?? ['']));

const escaped = (text) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');

/** Parts of a line in their colours. */
function spans(line) {
  let colour = null;
  let bold = false;
  return line
    .split(/(\u001b\[\d+m)/)
    .map((part) => {
      const code = /^\u001b\[(\d+)m$/.exec(part)?.[1];
      if (code === undefined) {
        const style = [colour === null ? '' : ` fill="${colour}"`, bold ? ' font-weight="bold"' : ''].join('');
        return part === '' ? '' : style === '' ? escaped(part) : `<tspan${style}>${escaped(part)}</tspan>`;
      }
      if (code === '1') bold = true;
      else if (code === '22') [bold, colour] = [false, null];
      else colour = colours[code] ?? null;
      return '';
    })
    .join('');
}

function picture(all) {
  const [width, line] = [760, 19];
  const height = rows * line + 24;
  const share = 100 / all.length;
  const screens = all.map(([command, ...lines], index) => {
    const texts = [`<tspan fill="#6bc46d">$</tspan> ${escaped(command)}`, '', ...lines.map(spans)];
    const rendered = texts.map((text, row) =>
      text === '' ? '' : `<text x="16" y="${26 + row * line}">${text}</text>`,
    );
    return `<g class="scene" style="animation-delay:${index * seconds}s">${rendered.join('')}</g>`;
  });
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" role="img" aria-label="chatspec finds a fault, accepts it, and is green again">
<style>
text { font: 14px 'DejaVu Sans Mono', Menlo, Consolas, monospace; fill: #d1d9e0; white-space: pre; }
.scene { opacity: 0; animation: scene ${all.length * seconds}s infinite; }
@keyframes scene { 0%, ${share - 0.1}% { opacity: 1; } ${share}%, 100% { opacity: 0; } }
@media (prefers-reduced-motion: reduce) { .scene { animation: none; } .scene:nth-of-type(1) { opacity: 1; } }
</style>
<rect width="100%" height="100%" rx="8" fill="#151b23"/>
${screens.join('\n')}
</svg>
`;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) writeFileSync(resolve('docs/images/demo.svg'), demo());
