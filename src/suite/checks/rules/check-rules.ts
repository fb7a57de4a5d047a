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

/**
 * Rules must compile, have different ids, and read what they are given: what is not there is undefined in a rule, so
 * that every answer passes `$not($exists(valeu.error))`, and every answer fails `valeu.total = 897`.
 */
export function* checkRules(draft: ProbeDraft): Generator<Problem> {
  const known = knownMembers(draft);
  for (const part of draft.expectations) {
    const { rules = [] } = part.expect;
    const first = new Map<string, number>();
    for (const [index, { id, assert }] of rules.entries()) {
      const path = [...part.path, 'rules', index];
      const twin = first.get(id);
      if (twin === undefined) first.set(id, index);
      else {
        const { place } = draft.source.spotOf([...part.path, 'rules', twin, 'id']);
        const message = `two rules are called "${id}" (the first on line ${place.line})`;
        yield problemAt(draft.source, [...path, 'id'], message, 'rename one of them');
      }
      // A rule with a template in it can be parsed only once the template is filled.
      if (hasTemplate(assert)) continue;
      for (const { message, hint, severity } of faultsOf(id, assert, { ...known, value: valueMembers(draft, part) })) {
        yield problemAt(draft.source, [...path, 'assert'], message, hint, { severity });
      }
    }
  }
}

/** The members that something has, and how a message names the lack of one; absent where they are not known. */
type Known = Readonly<
  Partial<Record<string, { readonly names: ReadonlySet<string>; readonly lack: string; readonly add: string }>>
>;

interface RuleFault {
  readonly message: string;
  readonly hint: string;
  readonly severity: Problem['severity'];
}

function* faultsOf(id: string, assert: string, known: Known): Generator<RuleFault> {
  const fault = expressionFault(assert, ruleFunctions);
  if (fault !== null) {
    const hint = 'a rule is JSONata over value, vars, request, reply and steps, such as value.total = 897';
    yield { message: `the rule "${id}" is not JSONata: ${fault}`, hint, severity: 'error' };
    return;
  }
  const told = new Set<string>();
  for (const [root, member, inner, last] of namesIn(assert)) {
    const isReply = root === 'steps' && inner === 'reply';
    const path = isReply ? `steps.${member}.reply` : root;
    const name = isReply ? last : member;
    const members = known[isReply ? 'reply' : root];
    if (!(ruleRoots as readonly string[]).includes(root)) {
      if (told.has(root)) continue;
      told.add(root);
      const near = nearest(root, ruleRoots);
      const hint = near === null ? `is it a member of the answer, value.${root}?` : `did you mean "${near}"?`;
      const message = `the rule "${id}" uses ${root}, but a rule knows only ${ruleRoots.join(', ')}`;
      yield { message, hint, severity: 'error' };
    } else if (name !== null && members?.names.has(name) === false && !told.has(`${path}.${name}`)) {
      told.add(`${path}.${name}`);
      const near = nearest(name, members.names);
      // A rule may test whether something exists; what is nearly the name of it is meant as that.
      const severity = near !== null && (path === 'value' || path.endsWith('reply')) ? 'error' : 'warning';
      const hint = didYouMean(name, members.names, 'known names') ?? members.add;
      const write = severity === 'error' ? ` write ${path}.${near}` : '';
      yield { message: `the rule "${id}" uses ${path}.${name}, ${members.lack}`, hint: `${hint}${write}`, severity };
    }
  }
}

function knownMembers({ vars, modelVars, samples, labels, written, steps }: ProbeDraft): Known {
  const named =
    modelVars === null || samples === null
      ? null
      : new Set([...Object.keys(vars), ...modelVars, ...samples.flatMap(Object.keys), ...labels.keys()]);
  return {
    reply: { names: replyMembers, lack: 'which no reply has', add: '' },
    ...(named && { vars: { names: named, lack: 'which nothing defines', add: 'define it under vars of the suite' } }),
    ...(written.steps !== undefined && {
      steps: {
        names: new Set(steps.map((step) => step.id)),
        lack: 'but the flow has no such step',
        add: 'give a step that id',
      },
    }),
  };
}

/** The members of an answer whose schemas are all closed: it conforms to one of them before a rule sees it. */
function valueMembers({ requests, axes }: ProbeDraft, { expect, path }: ExpectPart): Known[string] {
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
