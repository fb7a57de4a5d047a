import { isObject, type Json, type JsonObject } from '../../json/json.js';
import { bodyForm, mayBeJson, parseJson } from '../parse-json.js';
import { own, nonEmptyText } from '../fields.js';
import { streamEvents } from '../stream/read-stream.js';

/** The facts of an error body, whatever its envelope. */
export interface ErrorFacts {
  /** Sentences, outermost first; the real cause may be nested deep inside. */
  readonly messages: readonly string[];
  /** Codes, as text: words (`insufficient_quota`) and vendors' numbers. */
  readonly codes: readonly string[];
  /** `type`, `status` and `reason` words. */
  readonly types: readonly string[];
  /** Names of or pointers to the refused field. */
  readonly params: readonly string[];
  /** HTTP statuses named inside the body, outermost first. */
  readonly statuses: readonly number[];
  /** The service attached what the model had generated. */
  readonly generation: boolean;
  readonly html: boolean;
  /** How long to wait according to the body, as written: `45.8s`, `30`. */
  readonly waits: readonly string[];
  /** Names of limits that were exceeded (a quota's id, its metric). */
  readonly limits: readonly string[];
}

interface MutableErrorFacts {
  messages: string[];
  codes: string[];
  types: string[];
  params: string[];
  statuses: number[];
  generation: boolean;
  html: boolean;
  waits: string[];
  limits: string[];
}

const messageFields =
  /(?:message|msg|detail|description)$|^(?:err(?:or)?_?text|title|raw|cause|hint|exception|faultstring)$/;
const codeFields = /code$|^http_status$/;
const typeFields = /(?:error|exception)_?type$|^(?:type|status|reason|(?:native_)?finish_reason)$/;
const paramFields = new Set(['param', 'field', 'parameter', 'pointer', 'property', 'instancepath', 'argument']);
const waitFields = new Set(['retrydelay', 'retry_after', 'retryafter', 'retry_after_seconds', 'retry_in']);
const limitFields = new Set(['quotaid', 'quotametric', 'limit_source', 'limit_type', 'limit_name']);
/** Fields that echo the client's request and so say nothing about the refusal. */
const echoFields = new Set(['input', 'ctx', 'request', 'body', 'messages', 'usage', 'content', 'url', 'headers']);
const maxErrorDepth = 12;
const maxErrorTextLength = 20_000;
/** An error that lists more of anything is a flood, and its beginning says as much. */
const mostOfEach = 50;

/** Collects the facts of an error body, given as raw text of any form or as a parsed error object. Never throws. */
export function errorFacts(body: Json): ErrorFacts {
  const facts: MutableErrorFacts = {
    messages: [],
    codes: [],
    types: [],
    params: [],
    statuses: [],
    generation: false,
    html: false,
    waits: [],
    limits: [],
  };
  if (typeof body === 'string') {
    addText(body, facts);
  } else {
    collectErrorFacts(body, facts, 0);
  }
  return facts;
}

function addText(text: string, facts: MutableErrorFacts): void {
  const form = bodyForm(text);
  if (form.kind === 'json') {
    collectErrorFacts(form.value, facts, 0);
  } else if (form.kind === 'html') {
    addPage(text, facts);
  } else if (form.kind === 'events') {
    for (const { data } of streamEvents([text], () => undefined).slice(0, mostOfEach)) {
      const parsed = parseJson(data);
      collectErrorFacts(parsed.ok ? parsed.value : data, facts, 0);
    }
  } else if (form.kind === 'other') {
    if (/^<[?\w]/.test(text.trim())) {
      addXml(text.slice(0, maxErrorTextLength), facts);
    } else {
      pushErrorText(facts.messages, text.trim().slice(0, maxErrorTextLength));
    }
  }
}

/** The elements that hold text and nothing else, as members of an object. */
function addXml(xml: string, facts: MutableErrorFacts): void {
  const elements = [...xml.matchAll(/<([\w:]+)[^<>]*>([^<]+)<\//g)].slice(0, mostOfEach);
  if (elements.length === 0) pushErrorText(facts.messages, xml.trim());
  for (const [, name = '', value = ''] of elements) addObject({ [name]: value.trim() }, facts, 0);
}

function addPage(html: string, facts: MutableErrorFacts): void {
  facts.html = true;
  const title = /<(title|h1)[^>]*>([^<]{1,200})/i.exec(html)?.[2]?.trim();
  if (title !== undefined && title !== '') pushErrorText(facts.messages, title);
}

function collectErrorFacts(value: Json, facts: MutableErrorFacts, depth: number): void {
  if (depth > maxErrorDepth) return;
  if (typeof value === 'string') {
    addMessage(value, facts, depth);
  } else if (Array.isArray(value)) {
    for (const item of (value as readonly Json[]).slice(0, 50)) collectErrorFacts(item, facts, depth + 1);
  } else if (isObject(value)) {
    addObject(value, facts, depth);
  }
}

function addObject(object: JsonObject, facts: MutableErrorFacts, depth: number): void {
  const nested: Json[] = [];
  for (const [written, value] of Object.entries(object)) {
    const name = written.toLowerCase();
    if (name === 'failed_generation') {
      facts.generation = true;
    } else if (messageFields.test(name)) {
      nested.push(value);
    } else if (codeFields.test(name)) {
      addCode(value, facts);
    } else if (typeFields.test(name) && typeof value !== 'object') {
      addType(value, facts);
    } else if (paramFields.has(name)) {
      pushName(facts.params, nonEmptyText(value));
    } else if (name === 'loc' && Array.isArray(value)) {
      pushErrorText(facts.params, (value as readonly Json[]).slice(0, mostOfEach).map(String).join('.'));
    } else if (waitFields.has(name)) {
      pushErrorText(facts.waits, typeof value === 'number' ? String(value) : nonEmptyText(value));
    } else if (limitFields.has(name)) {
      pushErrorText(facts.limits, nonEmptyText(value));
    } else if (typeof value === 'object' && !echoFields.has(name)) {
      nested.push(value);
    } else if (['error', 'errors', 'err', 'fault'].includes(name)) {
      nested.push(value);
    }
  }
  for (const value of nested) collectErrorFacts(value, facts, depth + 1);
}

/** A message may itself contain JSON, alone or after some words: `Provider error: {"error":{...}}`. */
function addMessage(text: string, facts: MutableErrorFacts, depth: number): void {
  const trimmed = text.trim().slice(0, maxErrorTextLength);
  if (trimmed === '') return;
  // A router passes on the page that it was answered with.
  if (/^[^<]{0,80}<(?:!doctype html|html)[\s>]/i.test(trimmed)) {
    addPage(trimmed, facts);
    return;
  }
  const begin = trimmed.search(/[{[]/);
  const document = begin < 0 ? '' : trimmed.slice(begin);
  const inner = mayBeJson(document) ? parseJson(document) : null;
  if (inner?.ok === true && typeof inner.value === 'object' && inner.value !== null && holdsError(inner.value)) {
    pushErrorText(facts.messages, nonEmptyText(trimmed.slice(0, begin).trim()));
    collectErrorFacts(inner.value, facts, depth + 1);
    return;
  }
  pushErrorText(facts.messages, trimmed);
  // Some vendors write their own code only at the end of the sentence: "invalid params (2013)".
  pushErrorText(facts.codes, /\((\d{3,6})\)\s*$/.exec(trimmed)?.[1] ?? null);
}

function holdsError(value: Json): boolean {
  if (Array.isArray(value)) return (value as readonly Json[]).some((item) => isObject(item) && holdsError(item));
  return (
    isObject(value) &&
    ['error', 'message', 'code', 'detail', 'msg', 'type'].some((name) => own(value, name) !== undefined)
  );
}

function addCode(value: Json, facts: MutableErrorFacts): void {
  if (typeof value !== 'string' && typeof value !== 'number') return;
  const code = String(value);
  if (isSentence(code)) {
    pushErrorText(facts.messages, code);
  } else {
    pushName(facts.codes, code);
  }
  if (/^[45]\d\d$/.test(code) && facts.statuses.length < mostOfEach) facts.statuses.push(Number(code));
}

function addType(value: Json, facts: MutableErrorFacts): void {
  const text = nonEmptyText(value);
  if (typeof value === 'number') {
    addCode(value, facts);
  } else if (text !== null && isSentence(text)) {
    pushErrorText(facts.messages, text);
  } else {
    pushName(facts.types, text);
  }
}

/** Some services write their sentence where others have a code. */
function isSentence(code: string): boolean {
  return /\S\s+\S+\s+\S/.test(code);
}

/** Proxies written in Python pass `None` on as a word, which names nothing. */
function pushName(list: string[], name: string | null): void {
  if (name !== null && !/^\s*(?:none|null|undefined|nil|n\/a)?\s*$/i.test(name)) pushErrorText(list, name);
}

function pushErrorText(list: string[], text: string | null): void {
  if (text !== null && list.length < mostOfEach) list.push(text.slice(0, maxErrorTextLength));
}

/** The beginning and end of a long text: they name what was refused, and matching them takes bounded time. */
export function clipped(text: string): string {
  return text.length > 4000 ? `${text.slice(0, 3000)}\n${text.slice(-1000)}` : text;
}
