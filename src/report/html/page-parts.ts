import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { hidden } from '../safe/escape.js';

/** Templates, style and script of every page. */
export interface PageParts {
  readonly template: (view: object) => string;
  readonly style: string;
  readonly script: string;
  /** Content-Security-Policy. */
  readonly policy: string;
}

const partials = [
  ...['verdict', 'causes', 'plain-exchange', 'choices', 'matrix', 'models', 'behaviours', 'history', 'run', 'glossary'],
  ...['drawer', 'exchange', 'snippet'],
];
/** What the browser renders, from the same source. */
const inBrowser = ['drawer', 'exchange', 'snippet'];
const styles = ['tokens', 'page', 'matrix', 'drawer', 'history', 'print'];
/** In the order in which they need each other. */
const scripts = ['store', 'fields', 'search', 'matrix', 'drawer', 'start'];
/** A missing member is a mistake in the templates or in the view, not an empty text. */
const options = { strict: true, knownHelpersOnly: true, preventIndent: true } as const;

let made: Promise<PageParts> | undefined;

/** Read and compiled once, when the first page is made. */
export function pageParts(): Promise<PageParts> {
  return (made ??= make());
}

async function make(): Promise<PageParts> {
  const { default: handlebars } = await import('handlebars');
  const read = (name: string) => readFileSync(new URL(name, import.meta.url), 'utf8');
  const own = handlebars.create();
  for (const name of partials) own.registerPartial(name, own.compile(read(`templates/${name}.hbs`), options));
  const template = own.compile(read('templates/page.hbs'), options);
  const runtime = createRequire(import.meta.url).resolve('handlebars/dist/handlebars.runtime.min.js');
  const precompiled = inBrowser.map((name) => {
    const source = own.precompile(read(`templates/${name}.hbs`), options) as string;
    return `Handlebars.partials[${JSON.stringify(name)}] = Handlebars.template(${source});`;
  });
  const style = styles.map((name) => read(`style/${name}.css`)).join('');
  const script = [
    readFileSync(runtime, 'utf8'),
    `(() => {\n'use strict';`,
    `const hidden = /${hidden.source}/gu;`,
    ...precompiled,
    ...scripts.map((name) => joinable(read(`browser/${name}.js`))),
    '})();',
  ].join('\n');
  return { template: (view) => template(view), style, script, policy: policyOf(style, script) };
}

/** A module for the scope that all modules of the page share: each name is its own in all of them. */
function joinable(module: string): string {
  return module.replace(/^import [^;]*;\n/gm, '').replace(/^export /gm, '');
}

/** Only the page's own style and script run, known by their digests; nothing is loaded or sent. */
export function policyOf(style: string, script: string | null = null): string {
  const sha256 = (text: string) => `'sha256-${createHash('sha256').update(text).digest('base64')}'`;
  const scripts = script === null ? '' : ` script-src ${sha256(script)};`;
  return `default-src 'none'; style-src ${sha256(style)};${scripts} base-uri 'none'; form-action 'none'`;
}
