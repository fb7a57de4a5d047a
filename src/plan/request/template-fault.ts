import { didYouMean } from '../../files/problems/nearest.js';
import { isObject, type Json, type JsonObject } from '../../json/json.js';
import { engine, library } from './template-engine.js';

/** What is wrong with a template, for its author; Handlebars itself only reports where its parser stopped. */
export function faultOf(template: string, values: JsonObject, error: unknown): string {
  const message = error instanceof Error ? error.message : String(error);
  if (message.startsWith('Parse error')) return 'the template cannot be parsed';
  return nameFault(template, values) ?? message.replaceAll(/\s+/g, ' ');
}

function nameFault(template: string, values: JsonObject): string | null {
  for (const { path, asText } of lookupsOf(template)) {
    let here: Json | undefined = values;
    for (const [index, part] of path.entries()) {
      const parent: Json = here;
      here = ownMember(parent, part);
      if (here !== undefined) continue;
      const hint = isObject(parent) ? didYouMean(part, Object.keys(parent)) : undefined;
      return `unknown name "${path.slice(0, index + 1).join('.')}"${hint === undefined ? '' : ` (${hint})`}`;
    }
    const name = path.join('.');
    if (asText && isObject(here)) return `"${name}" is an object, not text; write {{json ${name}}}`;
  }
  return null;
}

function ownMember(value: Json, name: string): Json | undefined {
  if (Array.isArray(value) && name === 'length') return value.length;
  return typeof value === 'object' && value !== null && Object.hasOwn(value, name)
    ? (value as JsonObject)[name]
    : undefined;
}

/** A name that a template looks up from the root; `asText` when it is written out and not passed to a helper. */
interface Lookup {
  readonly path: readonly string[];
  readonly asText: boolean;
}

/** In order, without those inside a block, whose names may be those of an item. */
function lookupsOf(template: string): Lookup[] {
  const lookups: Lookup[] = [];
  const visitor = new (library().Visitor)();
  let asText = false;
  visitor.PathExpression = ({ original, parts, depth, data }) => {
    if (depth > 0 || data || Object.hasOwn(engine().helpers, original) || parts.length === 0) return;
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
