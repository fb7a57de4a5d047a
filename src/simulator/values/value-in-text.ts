import type { Json } from '../../json/json.js';
import { schemasAt, typesOf } from './resolve-ref.js';
import type { JsonObject } from '../../json/json.js';

/** The scalar that a text states for a property, found by simple patterns; undefined when none is found. */
export function valueInText(name: string, schema: JsonObject, text: string): Json | undefined {
  const choices = schemasAt(schema, 'enum');
  if (choices.length > 0) return firstMentioned(choices, text);
  const labelled = textAfterLabel(name, text);
  const [type] = typesOf(schema);
  switch (type) {
    case 'string':
      return labelled ?? (isDate(name, schema) ? /\b\d{4}-\d{2}-\d{2}\b/.exec(text)?.[0] : undefined);
    case 'integer':
      return numberIn(labelled) ?? numberIn(/(?<![\d.-])\d+(?![\d.-])/.exec(text)?.[0]);
    case 'number':
      return numberIn(labelled) ?? numberIn(/(?<![\d-])\d[\d,]*\.\d+/.exec(text)?.[0]);
    default:
      return undefined;
  }
}

function firstMentioned(choices: readonly Json[], text: string): Json | undefined {
  return choices.find(
    (choice) =>
      typeof choice === 'string' && choice !== '' && new RegExp(`(?<!\\w)${escaped(choice)}(?!\\w)`, 'i').test(text),
  );
}

/** `order_date` finds "Order date: 2026-05-01", "order_date is ..." and "order-date = ...". */
function textAfterLabel(name: string, text: string): string | undefined {
  const words = name.split(/[_\s-]+|(?<=[a-z])(?=[A-Z])/).map(escaped);
  const label = new RegExp(`(?<!\\w)${words.join('[ _-]?')}["\`]?(?: is|\\s*[:=])\\s*["\`]?([^\\n,;"\`]+)`, 'i');
  return label.exec(text)?.[1]?.trim().replace(/\.$/, '');
}

function numberIn(text: string | undefined): number | undefined {
  const digits = text === undefined ? undefined : /-?\d[\d,]*(?:\.\d+)?/.exec(text)?.[0];
  return digits === undefined ? undefined : Number(digits.replaceAll(',', ''));
}

function isDate(name: string, schema: JsonObject): boolean {
  return schema['format'] === 'date' || /date|day/i.test(name);
}

function escaped(text: string): string {
  return text.replaceAll(/[\\^$.*+?()[\]{}|/-]/g, String.raw`\$&`);
}
