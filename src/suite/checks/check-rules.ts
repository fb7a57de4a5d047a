import { hasTemplate } from '../../body/fault.js';
import { didYouMean, nearest } from '../../files/problems/nearest.js';
import { problemAt, type Problem } from '../../files/problems/problem.js';
import { isObject, type Json, at } from '../../json/json.js';
import { ruleAnswerMembers } from '../../judge/answer-facts.js';
import { ruleRoots } from '../../judge/expectation.js';
import { parseJsonata } from '../../judge/jsonata/jsonata-engine.js';
import type { ExpectPart, ProbeDraft } from './probe-draft.js';
import { plainText } from '../references/literal-text.js';
import { schemasIn } from './check-schemas.js';
import { replyMembers } from './templates/check-templates.js';

/** The members that something has, and how a message names the lack of one. */
interface RuleMemberNames {
  readonly names: ReadonlySet<string>;
  readonly lack: string;
  readonly add: string;
}

/**
 * Rules must compile, have different ids, and read what they are given: what is not there is undefined in a rule, so
 * that every answer passes `$not($exists(valeu.error))`, and every answer fails `valeu.total = 897`.
 */
export function* checkRules(draft: ProbeDraft): Generator<Problem> {
  const known = knownMembers(draft);
  for (const part of draft.expectations) {
    const { rules = [] } = part.expect;
    const ids = rules.map(({ id }) => id);
    for (const [index, { id, assert }] of rules.entries()) {
      const path = [...part.path, 'rules', index];
      const first = ids.indexOf(id);
      if (first < index) {
        const { line } = draft.source.spotOf([...part.path, 'rules', first, 'id']).place;
        const message = `two rules are called "${id}" (the first on line ${line})`;
        yield problemAt(draft.source, [...path, 'id'], message, 'rename one of them');
      }
      // A rule with a template in it can be parsed only once the template is filled.
      if (hasTemplate(assert)) continue;
      for (const { message, hint, severity } of faultsOf(plainText(assert), {
        ...known,
        value: valueMembers(draft, part),
      })) {
        yield problemAt(draft.source, [...path, 'assert'], `the rule "${id}" ${message}`, hint, { severity });
      }
    }
  }
}

type RuleFault = Pick<Problem, 'message' | 'severity'> & { readonly hint: string };

/** @param known by what a rule is given; absent where the members are not known */
function* faultsOf(assert: string, known: Readonly<Partial<Record<string, RuleMemberNames>>>): Generator<RuleFault> {
  const fault = expressionFault(assert, ruleFunctions);
  if (fault !== null) {
    const hint = 'a rule is JSONata over value, vars, request, reply, answer and steps, such as value.total = 897';
    yield { message: `is not JSONata: ${fault}`, hint, severity: 'error' };
    return;
  }
  const reported = new Set<string>();
  for (const [root, member, inner, last] of expressionNames(assert)) {
    const isReply = root === 'steps' && inner === 'reply';
    const path = isReply ? `steps.${member}.reply` : root;
    const name = isReply ? last : member;
    const members = known[isReply ? 'reply' : root];
    const isRoot = (ruleRoots as readonly string[]).includes(root);
    const id = isRoot ? `${path}.${name}` : root;
    if (reported.has(id)) continue;
    reported.add(id);
    if (!isRoot) {
      const near = nearest(root, ruleRoots);
      const hint = near === null ? `is it a member of the answer, value.${root}?` : `did you mean "${near}"?`;
      yield { message: `uses ${root}, but a rule knows only ${ruleRoots.join(', ')}`, hint, severity: 'error' };
    } else if (name !== null && members?.names.has(name) === false) {
      const near = nearest(name, members.names);
      // A rule may test whether something exists; what is nearly the name of it is meant as that.
      const isError = near !== null && (path === 'value' || path === 'answer' || path.endsWith('reply'));
      const hint = didYouMean(name, members.names, 'known names') ?? members.add;
      const write = isError ? ` write ${path}.${near}` : '';
      const severity = isError ? 'error' : 'warning';
      yield { message: `uses ${id}, ${members.lack}`, hint: `${hint}${write}`, severity };
    }
  }
}

function knownMembers({
  vars,
  modelVars,
  samples,
  labels,
  written,
}: ProbeDraft): Partial<Record<string, RuleMemberNames>> {
  const steps = written.steps?.map(({ id }) => id);
  const ofModels = modelVars === null || samples === null ? null : [...modelVars, ...samples.flatMap(Object.keys)];
  const named = ofModels && new Set([...Object.keys(vars), ...ofModels, ...labels.keys()]);
  return {
    reply: { names: replyMembers, lack: 'which no reply has', add: '' },
    answer: { names: ruleAnswerMembers, lack: 'which no answer has', add: '' },
    ...(named && { vars: { names: named, lack: 'which nothing defines', add: 'define it under vars of the suite' } }),
    ...(steps && {
      steps: { names: new Set(steps), lack: 'but the flow has no such step', add: 'give a step that id' },
    }),
  };
}

/** The members of an answer whose schemas are all closed: it conforms to one of them before a rule sees it. */
function valueMembers({ requests, axes }: ProbeDraft, { expect, path }: ExpectPart): RuleMemberNames | undefined {
  // Then no schema is checked, and the value may be anything.
  if (expect.content === 'any' || expect.content === 'text') return undefined;
  const [only, another] = requests;
  const asked = requests.find(({ expectPath }) => expectPath === path) ?? (another === undefined ? only : undefined);
  const isVaried = axes.some(
    (axis) => axis.kind === 'settings' || ['response_format', 'tools'].includes(axis.at[0] ?? ''),
  );
  const own = expect.schema ?? asked?.expect.schema;
  const sent = isVaried || asked === undefined ? [] : [...schemasIn(asked.request)].map(({ schema }) => schema);
  const schemas = own === undefined ? sent : [own];
  if (schemas.length === 0 || !schemas.every(isClosed)) return undefined;
  const names = schemas.flatMap((schema) => Object.keys(at(schema, ['properties']) ?? {}));
  return { names: new Set(names), lack: 'which the closed schema does not allow', add: 'add it to the schema' };
}

function isClosed(schema: Json): boolean {
  if (!isObject(schema) || !isObject(schema['properties'])) return false;
  const open = ['$ref', 'allOf', 'anyOf', 'oneOf', 'if', 'patternProperties', '$dynamicRef'].some(
    (name) => name in schema,
  );
  return !open && schema['type'] === 'object' && schema['additionalProperties'] === false;
}

/** JSONata's own functions. */
const jsonataFunctions = new Set(
  `sum count max min average string substring substringBefore substringAfter lowercase uppercase length trim pad match
  contains replace split join formatNumber formatBase formatInteger parseInteger number floor ceil round abs sqrt power
  random boolean not map zip filter single reduce foldLeft sift keys lookup append exists spread merge reverse each
  error assert type sort shuffle distinct base64encode base64decode encodeUrlComponent encodeUrl decodeUrlComponent
  decodeUrl eval toMillis fromMillis now millis clone`.split(/\s+/),
);

interface Node {
  readonly type?: string;
  readonly value?: unknown;
  readonly procedure?: Node;
  readonly lhs?: Node;
  readonly arguments?: unknown;
  readonly steps?: readonly Node[];
}

/** The functions of rules, in addition to JSONata's own. */
export const ruleFunctions: readonly string[] = ['close'];

/** The functions of a behaviour's `when` and `unless`, in addition to JSONata's own; see docs/outcomes.md. */
export const behaviourFunctions: readonly string[] =
  'cells tried passes fails flaky falters works broken worse sibling most least threshold verdict samePrompts'.split(
    ' ',
  );

/** The fault of a JSONata expression, which may also call the functions named; null when it compiles. */
export function expressionFault(expression: string, functions: readonly string[]): string | null {
  const parsed = parseJsonata(expression);
  if (parsed.ok) return unknownFunction(parsed.tree, functions);
  const where = parsed.position === null ? '' : ` (at character ${parsed.position})`;
  return `${parsed.error.replace(/\.$/, '')}${where}`;
}

/** A message about the first function that an expression calls but nothing defines; null when there is none. */
function unknownFunction(tree: unknown, added: readonly string[]): string | null {
  const nodes = [...nodesOf(tree)];
  const defined = nodes.flatMap(({ type, value, lhs, arguments: given }) => {
    if (type === 'bind' || value === ':=') return [lhs];
    return type === 'lambda' ? (given as Node[]) : [];
  });
  const known = new Set<unknown>([...jsonataFunctions, ...added, ...defined.map((node) => node?.value)]);
  for (const { type, procedure } of nodes) {
    const isCall = (type === 'function' || type === 'partial') && procedure?.type === 'variable';
    if (!isCall || known.has(procedure.value)) continue;
    const name = String(procedure.value);
    const near = nearest(name, [...jsonataFunctions, ...added]);
    return `there is no function $${name}${near === null ? '' : `, did you mean "$${near}"?`}`;
  }
  return null;
}

function* nodesOf(tree: unknown): Generator<Node> {
  const open: unknown[] = [tree];
  while (open.length > 0) {
    const next = open.pop();
    if (typeof next !== 'object' || next === null) continue;
    if (!Array.isArray(next)) yield next;
    open.push(...(Object.values(next) as unknown[]));
  }
}

/** A name of what a rule is given, and the members that are named after it; null where none is. */
type ReadName = readonly [name: string, member: string | null, inner: string | null, last: string | null];

/**
 * The names that an expression reads of the whole that it is given, as `value` and `total` of `value.total`; nothing
 * where it does not parse.
 */
function expressionNames(expression: string): readonly ReadName[] {
  const parsed = parseJsonata(expression);
  return parsed.ok ? [...namesAtTop(parsed.tree)] : [];
}

/** Parts of a node that are evaluated for each item of something: names in them are members of the item. */
const perItem: ReadonlySet<string> = new Set(['stages', 'predicate', 'group', 'terms']);

/** `vars` and NAME of `vars.NAME`, where names are those of the rule, and of `$$.vars.NAME` everywhere. */
function* namesAtTop(tree: unknown, atTop = true): Generator<ReadName> {
  if (typeof tree !== 'object' || tree === null) return;
  if (Array.isArray(tree)) {
    for (const item of tree) yield* namesAtTop(item, atTop);
    return;
  }
  const node = tree as Node;
  const steps = node.type === 'path' ? (node.steps ?? []) : [];
  const [first] = steps;
  // `$$` is all that the rule is given, and so is `$` outside of filters and the like.
  const isWhole = first?.type === 'variable' && (first.value === '$' || (atTop && first.value === ''));
  const stepsFromTop = atTop ? steps : [];
  const read = isWhole ? steps.slice(1) : stepsFromTop;
  const [name = null, member = null, inner = null, last = null] = read.map(({ type, value }) =>
    type === 'name' && typeof value === 'string' ? value : null,
  );
  if (name !== null) yield [name, member, inner, last];
  for (const [index, step] of steps.entries()) yield* namesAtTop(step, atTop && index === 0);
  for (const [part, value] of Object.entries(node)) {
    if (part === 'steps' && steps.length > 0) continue;
    yield* namesAtTop(value, atTop && node.type !== 'transform' && !perItem.has(part));
  }
}
