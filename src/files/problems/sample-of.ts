import { isObject, type Json, type JsonObject } from '../../json/json.js';
import { at } from '../../json/pointer.js';

/** Levels. What is deeper stands as `...`, so that a sample stays a line. */
const deepest = 3;

/** A value that a schema asks for, in flow YAML, with `...` for what only the author can know. */
export function sampleOf(schema: Json | undefined, root: JsonObject, depth = 0): string {
  const [form = {}, ...others] = formsOf(schema, root);
  const { examples, enum: choices } = form;
  if (Array.isArray(examples)) return inFlow((examples as readonly Json[])[0] ?? null);
  if (form['const'] !== undefined) return inFlow(form['const']);
  if (Array.isArray(choices)) return inFlow((choices as readonly Json[])[0] ?? null);
  const [first] = typesIn(form);
  if (first === undefined && others[0] !== undefined) return sampleOf(others[0], root, depth);
  if (depth >= deepest) return '...';
  switch (first) {
    case 'integer':
    case 'number':
      return inFlow(form['minimum'] ?? (form['exclusiveMaximum'] === 1 ? 0.5 : 1));
    case 'boolean':
      return 'true';
    case 'null':
      return '~';
    case 'array':
      return `[${sampleOf(form['items'], root, depth + 1)}]`;
    case 'object':
      return sampleMapping(form, root, depth);
    default:
      return '...';
  }
}

/** A text has no sample of its own, and nothing is as clear as the word. */
export function textIfOpen(sample: string): string {
  return sample === '...' ? 'a text' : sample;
}

function sampleMapping(form: JsonObject, root: JsonObject, depth: number): string {
  const properties = isObject(form['properties']) ? form['properties'] : {};
  const required = (form['required'] ?? []) as readonly string[];
  const names = required.length > 0 ? required : Object.keys(properties).slice(0, 1);
  const members = names.map((name) => `${name}: ${sampleOf(properties[name], root, depth + 1)}`);
  if (members.length > 0) return `{ ${members.join(', ')} }`;
  const { propertyNames, additionalProperties } = form;
  const name = propertyNames === undefined ? 'NAME' : sampleOf(propertyNames, root, deepest);
  return `{ ${name === '...' ? 'NAME' : name}: ${sampleOf(additionalProperties, root, depth + 1)} }`;
}

/** A schema as it is where it leads, then those that it chooses from. */
export function formsOf(schema: Json | undefined, root: JsonObject): readonly JsonObject[] {
  if (!isObject(schema)) return [];
  const { $ref, anyOf, oneOf } = schema;
  const named = typeof $ref === 'string' ? at(root, $ref.slice(2).split('/')) : undefined;
  const whole = isObject(named) ? { ...named, ...schema } : schema;
  const choices = (anyOf ??
    oneOf ??
    (isObject(named) ? (named['anyOf'] ?? named['oneOf']) : undefined) ??
    []) as readonly Json[];
  return [whole, ...choices.flatMap((choice) => formsOf(choice, root))];
}

export function typesIn({ type }: JsonObject): readonly string[] {
  return [type ?? []].flat() as readonly string[];
}

/** As one writes it in YAML on a line. */
export function inFlow(value: Json): string {
  if (Array.isArray(value)) return `[${(value as readonly Json[]).map(inFlow).join(', ')}]`;
  if (isObject(value)) {
    const members = Object.entries(value).map(([name, member]) => `${name}: ${inFlow(member)}`);
    return members.length === 0 ? '{}' : `{ ${members.join(', ')} }`;
  }
  if (value === null) return '~';
  if (typeof value !== 'string') return JSON.stringify(value);
  return isPlain(value) ? value : `'${value.replaceAll("'", "''")}'`;
}

/** A text that YAML takes for one without quotes, also within brackets. */
function isPlain(text: string): boolean {
  return (
    /^[A-Za-z/.][\w ./+-]*$/.test(text) && !/^(?:true|false|yes|no|on|off|null)$/i.test(text) && !text.endsWith(' ')
  );
}
