import { createRequire } from 'node:module';
import { runInThisContext } from 'node:vm';

/** A missing member is a mistake in the templates or in the view, not an empty text. */
const options = { strict: true, knownHelpersOnly: true, preventIndent: true } as const;

type Library = typeof Handlebars;

const require = createRequire(import.meta.url);
export const runtime = (): Library => require('handlebars/runtime') as Library;

/** A template as code of which Handlebars makes a function, here and in the browser. */
export function templateCode(source: string): string {
  return (require('handlebars') as Library).precompile(source, options) as string;
}

/** @param library the runtime is enough */
export function templateOf(library: Library, source: string): Handlebars.TemplateDelegate<object> {
  const specification = runInThisContext(`(${templateCode(source)})`) as TemplateSpecification;
  return library.template<object>(specification);
}
