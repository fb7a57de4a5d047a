import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { runInThisContext } from 'node:vm';
import { prebuiltOf } from '../../files/prebuilt.js';

/** The ending of what the build makes of a template. */
export const prebuiltTemplateEnding = '.template';

/** A missing member is a mistake in the templates or in the view, not an empty text. */
const options = { strict: true, knownHelpersOnly: true, preventIndent: true } as const;

type Library = typeof Handlebars;

const require = createRequire(import.meta.url);
/** Without what compiles templates: pages are made of those that the build has compiled. */
export const runtime = (): Library => require('handlebars/runtime') as Library;

/** A template as code of which Handlebars makes a function, here and in the browser. */
export function templateCode(source: string): string {
  const built = prebuiltOf(source, prebuiltTemplateEnding);
  return built === null ? templateCodeNow(require('handlebars') as Library, source) : readFileSync(built, 'utf8');
}

/** Which the build does, since all templates together take a tenth of the time of a page. */
export function templateCodeNow(library: Library, source: string): string {
  return library.precompile(source, options) as string;
}

/** @param library the runtime is enough */
export function templateOf(library: Library, source: string): Handlebars.TemplateDelegate<object> {
  const specification = runInThisContext(`(${templateCode(source)})`) as TemplateSpecification;
  return library.template<object>(specification);
}
