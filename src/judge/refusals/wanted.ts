import { own, objectOf } from '../../chat/fields.js';
import { type Json, type JsonObject, parsedJson } from '../../json/json.js';
import type { Clue } from '../clue.js';
import { alikeFields, knownFields, shortFields, type RefusalFacts } from './refusal.js';

type Wanted = Extract<Clue, { kind: 'rename' | 'set' }>;

const value = String.raw`(-?\d+(?:\.\d+)?|true|false|null)`;
const field = String.raw`['"(]*\b(?:parameter\.)?([a-z][a-z_]*)\b['")]*`;
const mustBe =
  '(?:must|should|has to|needs to|can only|may only|is required to)(?: always)? ' +
  '(?:be )?(?:set )?(?:equal )?(?:to )?(?:exactly )?';
const mustBeInChinese = '必须(?:设置)?[为是]|只能(?:设置)?[为是]|[仅只]支持|应为';
/** A range names no value. */
const alone = String.raw`(?![\w.]|\s*(?:or|to|and|-|–|,|至|以)\s*\S)`;
/** `temperature must be 1`, `enable_thinking must be set to false`, `temperature 只能为 1`. */
const namedFirst = new RegExp(
  String.raw`${field}(?: (?:parameter|value|field))? ?(?:${mustBe}|${mustBeInChinese}|=)\s*['"]?${value}${alone}`,
  'gi',
);
/** `only the default (1) value is supported`, `only 1 is allowed`; the field stands before it, or is named apart. */
const valueOnly = new RegExp(
  String.raw`\bonly (?:the )?(?:default )?(?:value )?(?:of )?['"(]*${value}['")]*(?: value)? ` +
    '(?:is|are|can be) (?:supported|allowed|accepted|permitted|used)',
  'i',
);
/** Whole words of a sentence that wants a stream, and of one that refuses what is none. */
const wantsStream = [
  /\b(?:only|must|requires?|required|please (?:use|enable|set)|need to|needs to)\b[^.\n]{0,50}\bstream(?:ing|ed)?\b/i,
  /\bstream(?:ing)?\b[^.\n]{0,30}\b(?:only|is required|must be (?:set to )?true|must be enabled)\b/i,
  /\bnon-?stream(?:ing|ed)?\b[^.\n]{0,40}\b(?:not (?:supported|allowed|available)|unsupported|disabled)\b/i,
  /(?:仅|只)(?:支持|能)[^。\n]{0,8}流式|ストリーミング(?:のみ|が必要)|스트리밍만/,
];

/** How servers that were asked without TLS on a port of TLS say so; they answer 400. */
const speaksOfTls = /HTTP request (?:was )?(?:sent )?to (?:an )?HTTPS|speaking plain HTTP to an SSL/i;

export function tlsWanted({ text }: RefusalFacts): Clue | null {
  return speaksOfTls.test(text) ? { kind: 'wants_tls' } : null;
}

/** The wish of a refusal in place of the request; null where it names none. */
export function wantedBy({ text, params }: RefusalFacts, request: Json | null): Wanted | null {
  const sent = objectOf(request ?? undefined);
  if (sent === null) return null;
  return renamedIn(text, params, sent) ?? valueIn(text, params, sent) ?? streamIn(text, sent);
}

/** How services call tools in a sentence that refuses them. */
const speaksOfTools =
  /\b(?:tools?|functions?)\b(?:[ _-]?(?:call(?:ing|s)?|use|usage))?(?!_)|工具|函数调用|ツール|関数呼び出し/i;

/** No request can leave these out. */
const neededFields: ReadonlySet<string> = new Set(['messages', 'model']);

/** The field that an error refuses, where it names just one that was sent. */
export function unsupportedField({ text, params }: RefusalFacts, request: Json | null): Clue | null {
  const sent = Object.keys(objectOf(request ?? undefined) ?? {}).filter((name) => !neededFields.has(name));
  const named = params.find((name) => sent.includes(name));
  if (named !== undefined) return { kind: 'unsupported', field: named };
  const inText = sent.filter((name) => isNamedIn(text, name));
  const [only, ...others] = inText;
  if (only !== undefined) return others.length === 0 ? { kind: 'unsupported', field: only } : null;
  const tools = ['tools', 'functions'].find((name) => sent.includes(name));
  return tools !== undefined && speaksOfTools.test(text) ? { kind: 'unsupported', field: tools } : null;
}

/** Names that are words of English as well count where something marks them. */
function isNamedIn(text: string, name: string): boolean {
  const pattern = name.includes('_')
    ? String.raw`(?<!\w)${name}(?!\w)`
    : String.raw`(['"])${name}\1|(?<!\w)${name}(?:\.[a-z]|\[)`;
  return /^\w+$/.test(name) && new RegExp(pattern).test(text);
}

function renamedIn(text: string, params: readonly string[], sent: JsonObject): Wanted | null {
  const names = (name: string) => new RegExp(String.raw`(?<![\w])${name}(?![\w])`).test(text);
  for (const group of alikeFields) {
    const from = group.find((name) => own(sent, name) !== undefined && (params.includes(name) || names(name)));
    const others = group.filter((name) => name !== from && own(sent, name) === undefined && names(name));
    const [to] = others;
    if (from !== undefined && to !== undefined && others.length === 1) return { kind: 'rename', from, to };
  }
  return null;
}

function valueIn(text: string, params: readonly string[], sent: JsonObject): Wanted | null {
  for (const [, name = '', wanted = ''] of text.matchAll(namedFirst)) {
    if (isField(name, sent)) return differing(name, wanted, sent);
  }
  const only = valueOnly.exec(text);
  if (only === null) return null;
  const before = text.slice(0, only.index).match(/[a-z][a-z_]*/g) ?? [];
  const name = params.find((one) => isField(one, sent)) ?? before.find((one) => own(sent, one) !== undefined);
  return name === undefined ? null : differing(name, only[1] ?? '', sent);
}

const isField = (name: string, sent: JsonObject): boolean =>
  own(sent, name) !== undefined || knownFields.has(name) || shortFields.includes(name);

/** A value that was sent already is not the wanted one. */
function differing(name: string, wanted: string, sent: JsonObject): Wanted | null {
  const asked = parsedJson(wanted.toLowerCase()) as Json;
  return own(sent, name) === asked ? null : { kind: 'set', members: { [name]: asked } };
}

function streamIn(text: string, sent: JsonObject): Wanted | null {
  if (own(sent, 'stream') === true || own(sent, 'stream_options') !== undefined) return null;
  return wantsStream.some((pattern) => pattern.test(text)) ? { kind: 'set', members: { stream: true } } : null;
}
