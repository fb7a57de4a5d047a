import { createRequire } from 'node:module';
import type * as HandlebarsModule from 'handlebars';

export type Handlebars = typeof HandlebarsModule;

let loaded: Handlebars | null = null;
/** The module itself; its environments lack the parser's visitor. */
export const library = (): Handlebars => createRequire(import.meta.url)('handlebars') as Handlebars;

/** Loaded with the first template, in its own environment, where a missing value is an error for helpers too. */
export function engine(): Handlebars {
  if (loaded !== null) return loaded;
  const handlebars = library().create();
  handlebars.unregisterHelper('log');
  for (const name of ['if', 'unless', 'each', 'with', 'lookup']) {
    const helper = handlebars.helpers[name];
    if (helper === undefined) continue;
    handlebars.registerHelper(name, function (this: unknown, ...args: unknown[]): unknown {
      if (args.includes(undefined)) throw new TypeError(`${name} was given an unknown name`);
      const result: unknown = helper.apply(this, args as never);
      if (name === 'lookup' && result === undefined) throw new TypeError('lookup found nothing');
      return result;
    });
  }
  handlebars.registerHelper('json', (...args: unknown[]) => {
    if (args.length !== 2 || args[0] === undefined) throw new TypeError('json takes one known value');
    return JSON.stringify(args[0]);
  });
  loaded = handlebars;
  return handlebars;
}
