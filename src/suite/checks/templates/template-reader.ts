import { createRequire } from 'node:module';
import type * as Handlebars from 'handlebars';
import { remembered } from '../../../json/remembered.js';
import { writtenJson } from '../../../json/json.js';

/** A name that a template looks up in the variables of a trial. */
export interface TemplateName {
  /** `steps.call.arguments` as its parts. */
  readonly parts: readonly string[];
  /** The value itself becomes the text, without a helper such as `json`. */
  readonly direct: boolean;
}

type ReadTemplate =
  { readonly ok: true; readonly names: readonly TemplateName[] } | { readonly ok: false; readonly message: string };

/** Loaded with the first template: it takes long, and many suites have none. */
export const handlebars = (): typeof Handlebars => createRequire(import.meta.url)('handlebars') as typeof Handlebars;

/** Handlebars takes quadratic time over nested blocks. */
const mostBlocks = 100;
/** The helpers of templates: Handlebars' own except `log`, and `json`. */
const inlineHelpers = ['json', 'lookup'];
const blockHelpers = ['if', 'unless', 'each', 'with'];
/** Inside the other block helpers, names are members of something else. */
const sameContext = ['if', 'unless'];

class TemplateFault extends Error {}

type Call = Pick<hbs.AST.MustacheStatement, 'path' | 'params'>;

/** Reads the names in a text's `{{...}}`, or says why the text is not a template. */
export const readTemplate = remembered(2000, (text: string): ReadTemplate => {
  if (text.split('{{#').length > mostBlocks) {
    return { ok: false, message: `the template has more than ${mostBlocks} blocks` };
  }
  try {
    return { ok: true, names: [...templateNamesIn(handlebars().parse(text), true)] };
  } catch (error) {
    return { ok: false, message: error instanceof TemplateFault ? error.message : parseMessage(error) };
  }
});

/** @param own names are those of the trial */
function* templateNamesIn(program: hbs.AST.Program | undefined, own: boolean): Generator<TemplateName> {
  for (const statement of program?.body ?? []) {
    if (statement.type === 'MustacheStatement') {
      yield* inMustache(statement as hbs.AST.MustacheStatement, own);
    } else if (statement.type === 'BlockStatement') {
      yield* inBlock(statement as hbs.AST.BlockStatement, own);
    } else if (statement.type !== 'ContentStatement' && statement.type !== 'CommentStatement') {
      throw new TemplateFault('partials and decorators (">", "*") are not available in templates');
    }
  }
}

function* inMustache(statement: hbs.AST.MustacheStatement, own: boolean): Generator<TemplateName> {
  const name = expressionSource(statement.path);
  if (statement.params.length > 0 || inlineHelpers.includes(name)) {
    yield* inCall(statement, own);
  } else if (blockHelpers.includes(name)) {
    throw new TemplateFault(`{{${name}}} needs a # and an end: {{#${name} ...}}...{{/${name}}}`);
  } else {
    yield* inExpression(statement.path, own, true);
  }
}

/** A helper with its values. */
function* inCall({ path, params }: Call, own: boolean): Generator<TemplateName> {
  const name = expressionSource(path);
  if (!inlineHelpers.includes(name)) {
    throw new TemplateFault(`there is no helper "${name}"; known: ${inlineHelpers.join(', ')}`);
  }
  if (name === 'json' && params.length !== 1) throw new TemplateFault('json takes one value: {{json name}}');
  for (const param of params) yield* inExpression(param, own, false);
}

function* inBlock(statement: hbs.AST.BlockStatement, own: boolean): Generator<TemplateName> {
  const { path, params, program, inverse } = statement as Partial<hbs.AST.BlockStatement> & Call;
  const name = expressionSource(path);
  const helper = blockHelpers.includes(name);
  if (!helper && params.length > 0) {
    throw new TemplateFault(`there is no block helper "${name}"; known: ${blockHelpers.join(', ')}`);
  }
  for (const one of helper ? params : [path, ...params]) yield* inExpression(one, own, false);
  yield* templateNamesIn(program, own && sameContext.includes(name));
  yield* templateNamesIn(inverse, own && helper);
}

function* inExpression(value: hbs.AST.Expression, own: boolean, direct: boolean): Generator<TemplateName> {
  if (value.type === 'SubExpression') {
    yield* inCall(value as hbs.AST.SubExpression, own);
  } else if (value.type === 'PathExpression') {
    const { parts, depth, data } = value as hbs.AST.PathExpression;
    if (own && depth === 0 && !data && parts.length > 0) yield { parts: parts.map(String), direct };
  } else if (direct && own) {
    yield { parts: [expressionSource(value)], direct };
  }
}

function expressionSource(value: hbs.AST.Expression): string {
  // The `original` of a literal need not be a string.
  const { original } = value as { original?: unknown };
  return typeof original === 'string' ? original : writtenJson(original ?? value.type);
}

function parseMessage(error: unknown): string {
  const message = error instanceof Error ? error.message : '';
  if (message.includes("got 'EOF'")) return 'the template ends before the end of a block, such as {{/if}}';
  if (message.includes("got 'INVALID'")) {
    return 'the template cannot be parsed: "{{" without "}}", or a character that names cannot contain';
  }
  if (message.includes("doesn't match")) {
    return `the blocks of the template do not match: ${message.split(' - ')[0] ?? ''}`;
  }
  return 'the template cannot be parsed';
}
