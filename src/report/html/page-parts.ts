import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { once } from '../../json/once.js';
import { hidden } from '../safe/escape.js';
import { runtime, templateCode, templateOf } from './page-template.js';

/** Templates, style and script of every page. */
export interface PageParts {
  /** Renders one of the page's templates. */
  readonly render: (name: PartName, view: object) => string;
  /** Makes a template of another page, which can use those of this one. */
  readonly compile: (source: string) => (view: object) => string;
  readonly style: string;
  readonly script: string;
  /** Content-Security-Policy. */
  readonly policy: string;
}

/** The sections of a page. */
const sections = [
  ...([
    'verdict',
    'causes',
    'choices',
    'matrix',
    'models',
    'swap',
    'behaviours',
    'history',
    'run',
    'glossary',
  ] as const),
];
/** What stands around them. */
const around = ['page-begin', 'page-end', 'pack', 'script'] as const;
/** What stands in others. */
const shared = ['head', 'plain-exchange', 'runs'];
export type SectionName = (typeof sections)[number];
type PartName = SectionName | (typeof around)[number];

/** What the browser renders, from the same source. */
const inBrowser = ['drawer', 'exchange', 'snippet', 'unknown'];
const styles = ['tokens', 'page', 'matrix', 'drawer', 'history', 'print'];
/** In the order in which they need each other. */
const scripts = ['store', 'plain-answer', 'fields', 'search', 'matrix', 'drawer', 'swap', 'start'];

/** Read and compiled once, when the first page is made. */
export const pageParts = once(make);

function make(): PageParts {
  const read = (name: string) => readFileSync(new URL(name, import.meta.url), 'utf8');
  const own = runtime().create();
  const compile = (source: string) => {
    const template = templateOf(own, source);
    return (view: object) => template(view);
  };
  const known = new Map<string, Handlebars.TemplateDelegate<object>>();
  for (const name of [...sections, ...around, ...shared, ...inBrowser]) {
    const template = templateOf(own, read(`templates/${name}.hbs`));
    known.set(name, template);
    own.registerPartial(name, template);
  }
  const render = (name: PartName, view: object): string => {
    const template = known.get(name);
    if (template === undefined) throw new TypeError(`there is no template ${name}`);
    return template(view);
  };
  const inPage = createRequire(import.meta.url).resolve('handlebars/dist/handlebars.runtime.min.js');
  const precompiled = inBrowser.map((name) => {
    const code = templateCode(read(`templates/${name}.hbs`));
    return `Handlebars.partials[${JSON.stringify(name)}] = Handlebars.template(${code});`;
  });
  const style = styles.map((name) => read(`style/${name}.css`)).join('');
  const script = [
    readFileSync(inPage, 'utf8'),
    `(() => {\n'use strict';`,
    `const hidden = /${hidden.source}/gu;`,
    ...precompiled,
    ...scripts.map((name) => joinable(read(`browser/${name}.js`))),
    '})();',
  ].join('\n');
  return { render, compile, style, script, policy: policyOf(style, script) };
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
