import { ChatspecError } from '../../errors/chatspec-error.js';
import { isObject, type Json, type JsonObject, writtenJson, at } from '../../json/json.js';
import { handlebars, readTemplate } from '../../suite/checks/templates/template-reader.js';
import { plainText } from '../../suite/references/literal-text.js';
import { once } from '../../json/remembered.js';

type Render = (values: JsonObject) => string;

/** A template that cannot be filled: a fault of the suite or of chatspec, never of the model. */
export class TemplateError extends ChatspecError {
  readonly kind = 'template';
  constructor(
    readonly template: string,
    reason: string,
  ) {
    super(`${reason}, in the template ${writtenJson(template.length > 120 ? `${template.slice(0, 119)}…` : template)}`);
  }
}

/**
 * The value with the templates in its strings filled, without escaping. An unknown name throws a {@link TemplateError},
 * and a value is never read as a template itself. A string without `{{` stays as it is, one that is only a template
 * still gives a string, and names of members are never templates. What holds no template is no copy but the part
 * itself, so that what was found out about it, such as the digest of a schema, need not be found out again.
 */
export function renderTemplates(value: Json, values: JsonObject): Json {
  if (typeof value === 'string') return renderText(value, values);
  if (Array.isArray(value)) {
    const items = value as readonly Json[];
    const filled = items.map((item) => renderTemplates(item, values));
    return filled.every((item, index) => item === items[index]) ? items : filled;
  }
  if (!isObject(value)) return value;
  const names = Object.keys(value);
  const filled = names.map((name) => renderTemplates(value[name] ?? null, values));
  if (filled.every((member, index) => member === value[names[index] ?? ''])) return value;
  return Object.fromEntries(names.map((name, index) => [name, filled[index] ?? null]));
}

function renderText(text: string, values: JsonObject): string {
  return plainText(text.includes('{{') ? compiledTemplate(text)(values) : text);
}

/** Bounded, since only texts of suites and configs are compiled. */
const cache = new Map<string, Render>();

function compiledTemplate(template: string): Render {
  const known = cache.get(template);
  if (known !== undefined) return known;
  const fill = engine().compile<unknown>(template, { noEscape: true, strict: true });
  const render: Render = (values) => {
    try {
      return fill(bare(values));
    } catch (error) {
      throw new TemplateError(template, templateErrorText(template, values, error));
    }
  };
  cache.set(template, render);
  return render;
}

/** A copy without prototypes, so that `{{constructor}}` is an unknown name and an object cannot be written as text. */
function bare(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value;
  return Array.isArray(value)
    ? value.map(bare)
    : Object.assign(
        Object.create(null),
        Object.fromEntries(Object.entries(value).map(([name, of]) => [name, bare(of)])),
      );
}

/** In its own environment, where a missing value is an error for helpers too. */
const engine = once(() => {
  const own = handlebars().create();
  own.unregisterHelper('log');
  for (const name of ['if', 'unless', 'each', 'with', 'lookup']) {
    const helper = own.helpers[name];
    if (helper === undefined) continue;
    own.registerHelper(name, function (this: unknown, ...args: unknown[]): unknown {
      if (args.includes(undefined)) throw new TypeError(`${name} was given an unknown name`);
      const result: unknown = helper.apply(this, args as never);
      if (name === 'lookup' && result === undefined) throw new TypeError('lookup found nothing');
      return result;
    });
  }
  own.registerHelper('json', (...args: unknown[]) => {
    if (args.length !== 2 || args[0] === undefined) throw new TypeError('json takes one known value');
    return writtenJson(args[0]);
  });
  return own;
});

/** A fault of a template, for its author; Handlebars itself only reports where its parser stopped. */
function templateErrorText(template: string, values: JsonObject, error: unknown): string {
  const read = readTemplate(template);
  if (!read.ok) return read.message;
  for (const { parts, direct } of read.names) {
    const known = parts.findIndex((_, index) => at(values, parts.slice(0, index + 1)) === undefined);
    if (known >= 0 && parts[known] !== 'length') return `unknown name "${parts.slice(0, known + 1).join('.')}"`;
    const name = parts.join('.');
    if (direct && isObject(at(values, parts))) return `"${name}" is an object, not text; write {{json ${name}}}`;
  }
  return error instanceof Error ? error.message.replaceAll(/\s+/g, ' ') : String(error);
}
