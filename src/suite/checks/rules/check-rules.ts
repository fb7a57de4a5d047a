import { hasTemplate } from '../../../body/fault.js';
import { didYouMean, nearest } from '../../../files/problems/nearest.js';
import type { Problem } from '../../../files/problems/problem.js';
import { problemAt } from '../../../files/problems/problem-at.js';
import { isObject, type Json } from '../../../json/json.js';
import { at } from '../../../json/pointer.js';
import { ruleRoots } from '../../../judge/expectation.js';
import type { ExpectPart, ProbeDraft } from '../probe-draft.js';
import { schemasIn } from '../schemas/check-schemas.js';
import { replyMembers } from '../templates/check-templates.js';
import { expressionFault, namesIn, ruleFunctions } from './expression-fault.js';

/** The members that something has, and how a message names the lack of one. */
interface Known {
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
      for (const { message, hint, severity } of faultsOf(assert, { ...known, value: valueMembers(draft, part) }))
        yield problemAt(draft.source, [...path, 'assert'], `the rule "${id}" ${message}`, hint, { severity });
    }
  }
}

type RuleFault = Pick<Problem, 'message' | 'severity'> & { readonly hint: string };

/** @param known by what a rule is given; absent where the members are not known */
function* faultsOf(assert: string, known: Readonly<Partial<Record<string, Known>>>): Generator<RuleFault> {
  const fault = expressionFault(assert, ruleFunctions);
  if (fault !== null) {
    const hint = 'a rule is JSONata over value, vars, request, reply and steps, such as value.total = 897';
    yield { message: `is not JSONata: ${fault}`, hint, severity: 'error' };
    return;
  }
  const told = new Set<string>();
  for (const [root, member, inner, last] of namesIn(assert)) {
    const isReply = root === 'steps' && inner === 'reply';
    const path = isReply ? `steps.${member}.reply` : root;
    const name = isReply ? last : member;
    const members = known[isReply ? 'reply' : root];
    const isRoot = (ruleRoots as readonly string[]).includes(root);
    const id = isRoot ? `${path}.${name}` : root;
    if (told.has(id)) continue;
    told.add(id);
    if (!isRoot) {
      const near = nearest(root, ruleRoots);
      const hint = near === null ? `is it a member of the answer, value.${root}?` : `did you mean "${near}"?`;
      yield { message: `uses ${root}, but a rule knows only ${ruleRoots.join(', ')}`, hint, severity: 'error' };
    } else if (name !== null && members?.names.has(name) === false) {
      const near = nearest(name, members.names);
      // A rule may test whether something exists; what is nearly the name of it is meant as that.
      const isError = near !== null && (path === 'value' || path.endsWith('reply'));
      const hint = didYouMean(name, members.names, 'known names') ?? members.add;
      const write = isError ? ` write ${path}.${near}` : '';
      const severity = isError ? 'error' : 'warning';
      yield { message: `uses ${id}, ${members.lack}`, hint: `${hint}${write}`, severity };
    }
  }
}

function knownMembers({ vars, modelVars, samples, labels, written }: ProbeDraft): Partial<Record<string, Known>> {
  const steps = written.steps?.map(({ id }) => id);
  const ofModels = modelVars === null || samples === null ? null : [...modelVars, ...samples.flatMap(Object.keys)];
  const named = ofModels && new Set([...Object.keys(vars), ...ofModels, ...labels.keys()]);
  return {
    reply: { names: replyMembers, lack: 'which no reply has', add: '' },
    ...(named && { vars: { names: named, lack: 'which nothing defines', add: 'define it under vars of the suite' } }),
    ...(steps && {
      steps: { names: new Set(steps), lack: 'but the flow has no such step', add: 'give a step that id' },
    }),
  };
}

/** The members of an answer whose schemas are all closed: it conforms to one of them before a rule sees it. */
function valueMembers({ requests, axes }: ProbeDraft, { expect, path }: ExpectPart): Known | undefined {
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
