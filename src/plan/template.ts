import { createRequire } from 'node:module';
import type * as HandlebarsModule from 'handlebars';
import { didYouMean } from '../files/nearest.js';
import { isObject, type Json, type JsonObject } from '../json/json.js';

type Handlebars = typeof HandlebarsModule;
type Render = (values: JsonObject) => string;

/** A template that cannot be filled: our own fault, never the model's. */
export class TemplateError extends Error {
  override readonly name = 'TemplateError';
  constructor(
    readonly template: string,
    reason: string,
  ) {
    super(
      `${reason}, in the template ${JSON.stringify(template.length > 120 ? `${template.slice(0, 119)}…` : template)}`,
    );
  }
}

/**
 * A copy of the value with the templates in its strings filled: without escaping, strictly (an unknown name is a
 * {@link TemplateError}), once (what a value brings is never read as a template). A string without `{{` stays as it is,
 * one that is nothing but a template stays a string, and names of members are no templates.
 */
export function renderTemplates(value: Json, values: JsonObject): Json {
  if (typeof value === 'string') return renderText(value, values);
  if (Array.isArray(value)) return (value as readonly Json[]).map((item) => renderTemplates(item, values));
  if (!isObject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, renderTemplates(member, values)]));
}

/** As {@link renderTemplates}, for one text. */
export function renderText(text: string, values: JsonObject): string {
  return text.includes('{{') ? compiled(text)(values) : text;
}

/** What is wrong with a text as a template, whatever the values; null when nothing is. */
export function templateFault(text: string): string | null {
  if (!text.includes('{{')) return null;
  try {
    engine().precompile(text);
    return null;
  } catch (error) {
    return parseMessage(error);
  }
}

/** Only texts of suites and configs come in here, so their number is bounded. */
const cache = new Map<string, Render>();

function compiled(template: string): Render {
  const known = cache.get(template);
  if (known !== undefined) return known;
  const handlebars = engine();
  const fill = handlebars.compile<unknown>(template, { noEscape: true, strict: true });
  const render: Render = (values) => {
    try {
      return fill(bare(values));
    } catch (error) {
      throw new TemplateError(template, diagnosis(handlebars, template, values) ?? parseMessage(error));
    }
  };
  cache.set(template, render);
  return render;
}

let loaded: Handlebars | null = null;
const library = (): Handlebars => createRequire(import.meta.url)('handlebars') as Handlebars;

/** Loaded on the first template, in an environment of its own: a missing value is an error for its helpers too. */
function engine(): Handlebars {
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
    if (args.length !== 2 || args[0] === undefined) throw new TypeError('json wants one value that is known');
    return JSON.stringify(args[0]);
  });
  loaded = handlebars;
  return handlebars;
}

const bareCopies = new WeakMap<object, unknown>();

/** A copy without prototypes, so that `{{constructor}}` is an unknown name and `{{object}}` cannot become text. */
function bare(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value;
  const known = bareCopies.get(value);
  if (known !== undefined) return known;
  const copy: unknown = Array.isArray(value)
    ? value.map(bare)
    : Object.assign(
        Object.create(null),
        Object.fromEntries(Object.entries(value).map(([name, of]) => [name, bare(of)])),
      );
  bareCopies.set(value, copy);
  return copy;
}

/** Handlebars says where its parser stood; people want to know which name is wrong. */
function diagnosis(handlebars: Handlebars, template: string, values: JsonObject): string | null {
  if (templateFault(template) !== null) return null;
  for (const { path, asText } of lookupsOf(handlebars, template)) {
    let here: Json | undefined = values;
    for (const [index, part] of path.entries()) {
      const parent: Json = here;
      here = ownMember(parent, part);
      if (here !== undefined) continue;
      const hint = isObject(parent) ? didYouMean(part, Object.keys(parent)) : undefined;
      return `unknown name "${path.slice(0, index + 1).join('.')}"${hint === undefined ? '' : ` (${hint})`}`;
    }
    const name = path.join('.');
    if (asText && isObject(here)) return `"${name}" is an object, no text; write {{json ${name}}}`;
  }
  return null;
}

function ownMember(value: Json, name: string): Json | undefined {
  if (Array.isArray(value) && name === 'length') return value.length;
  return typeof value === 'object' && value !== null && Object.hasOwn(value, name)
    ? (value as JsonObject)[name]
    : undefined;
}

/** A name that a template looks up from the root; `asText` when it is to be written, not given to a helper. */
interface Lookup {
  readonly path: readonly string[];
  readonly asText: boolean;
}

/** In order; what a block looks up is left out, since its names may be those of an item. */
function lookupsOf(handlebars: Handlebars, template: string): Lookup[] {
  const lookups: Lookup[] = [];
  const visitor = new (library().Visitor)();
  let asText = false;
  visitor.PathExpression = ({ original, parts, depth, data }) => {
    if (depth > 0 || data || Object.hasOwn(handlebars.helpers, original) || parts.length === 0) return;
    lookups.push({ path: parts.map(String), asText });
  };
  visitor.MustacheStatement = function ({ path, params }) {
    asText = params.length === 0;
    this.accept(path);
    asText = false;
    this.acceptArray(params);
  };
  visitor.BlockStatement = function ({ params }) {
    this.acceptArray(params);
  };
  visitor.accept(library().parse(template));
  return lookups;
}

function parseMessage(error: unknown): string {
  const message = error instanceof Error ? error.message : String(error);
  return message.startsWith('Parse error') ? 'the template cannot be parsed' : message.replaceAll(/\s+/g, ' ');
}
