import { isObject, type Json, type JsonObject } from '../../json/json.js';
import { formsOf, inFlow, sampleOf, textIfOpen, typesIn } from './sample-of.js';

/** Characters of what the author wrote. More of it would hide the step. */
const longest = 60;

/**
 * What to write instead of a value of the wrong type: the value itself in its right form, where it has one, else what
 * its schema allows, or a sample.
 */
export function stepFor(schema: JsonObject, types: readonly string[], data: Json, root: JsonObject): string {
  const forms = formsOf(schema, root);
  const own = inRightForm(forms, types, data, root);
  if (own !== null && own.length <= longest) return `write ${own}`;
  const choices = forms.flatMap((form) => (Array.isArray(form['enum']) ? (form['enum'] as readonly Json[]) : []));
  if (choices.length > 0 && choices.length <= mostChoices) return `write ${choices.map(inFlow).join(' or ')}`;
  if (types[0] === 'boolean') return 'write true or false';
  const form = forms.find((one) => typesIn(one).some((type) => types.includes(type)));
  const sample = textIfOpen(sampleOf(hasSample(schema) ? schema : form, root));
  const number = types[0] === 'integer' ? 'a whole number' : 'a number';
  return types[0] === 'number' || types[0] === 'integer' ? `write ${number}, such as ${sample}` : `write ${sample}`;
}

/** Of a longer list, the sample is enough. */
const mostChoices = 6;

const hasSample = ({ examples }: JsonObject): boolean => examples !== undefined;

function inRightForm(
  forms: readonly JsonObject[],
  types: readonly string[],
  data: Json,
  root: JsonObject,
): string | null {
  const allows = (value: Json): boolean => types.some((type) => typesOf(value).includes(type)) && fits(forms, value);
  if (Array.isArray(data) && data.length === 1 && !types.includes('array')) {
    const [only = null] = data as readonly Json[];
    return typeof only !== 'object' && allows(only) ? inFlow(only) : null;
  }
  const items = formsOf(forms.find((form) => form['items'] !== undefined)?.['items'], root);
  if (types.includes('array') && data !== null && fits(items, data)) return `[${inFlow(data)}]`;
  if (typeof data === 'string' && data.trim() !== '' && allows(Number(data))) return `${Number(data)}, without quotes`;
  const isScalar = typeof data === 'number' || typeof data === 'boolean';
  // What has samples is no free text: in quotes, a number is no address either.
  if (isScalar && !forms.some(hasSample) && allows(String(data))) return `'${data}', in quotes`;
  if (types.includes('boolean') && typeof data === 'string') {
    if (/^(?:true|yes|on)$/i.test(data)) return 'true';
    if (/^(?:false|no|off)$/i.test(data)) return 'false';
  }
  return null;
}

/** Whether one of the forms takes a value, as far as can be told from it and its members' names. */
function fits(forms: readonly JsonObject[], value: Json): boolean {
  return forms.some((form) => typesIn(form).some((type) => typesOf(value).includes(type)) && hasItsShape(form, value));
}

function hasItsShape(form: JsonObject, value: Json): boolean {
  const { pattern, format, const: only, enum: choices, required = [] } = form;
  if (only !== undefined || format !== undefined || (Array.isArray(choices) && !choices.includes(value))) return false;
  if (typeof value === 'number') return isInRange(form, value);
  if (typeof value === 'string')
    return value !== '' && (typeof pattern !== 'string' || new RegExp(pattern, 'u').test(value));
  if (!isObject(value)) return true;
  const names = Object.keys(value);
  return names.length > 0 && (required as readonly string[]).every((name) => names.includes(name));
}

function isInRange(form: JsonObject, value: number): boolean {
  const bound = (name: string, none: number): number => Number(form[name] ?? none);
  return (
    value >= bound('minimum', -Infinity) &&
    value <= bound('maximum', Infinity) &&
    value > bound('exclusiveMinimum', -Infinity) &&
    value < bound('exclusiveMaximum', Infinity)
  );
}

function typesOf(data: Json): readonly string[] {
  if (data === null) return ['null'];
  if (Array.isArray(data)) return ['array'];
  if (typeof data === 'number') return Number.isInteger(data) ? ['integer', 'number'] : ['number'];
  return [typeof data];
}
