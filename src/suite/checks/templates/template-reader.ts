import { createRequire } from 'node:module';
import type * as Handlebars from 'handlebars';

/** A name that a template looks up in the variables of a trial. */
export interface TemplateName {
  /** `steps.call.arguments` as its parts. */
  readonly parts: readonly string[];
  /** The value itself becomes the text, without a helper such as `json`. */
  readonly direct: boolean;
}

export type ReadTemplate =
  { readonly ok: true; readonly names: readonly TemplateName[] } | { readonly ok: false; readonly message: string };

/** Reads the names in a text's `{{...}}`, or says why the text is not a template. */
export type TemplateReader = (text: string) => ReadTemplate;

/** Remembers what was read once. Handlebars takes long to load, and many suites need no check. */
export function templateReader(): TemplateReader {
  const known = new Map<string, ReadTemplate>();
  return (text) => {
    let read = known.get(text);
    if (read === undefined) known.set(text, (read = readTemplate(text, require('handlebars') as typeof Handlebars)));
    return read;
  };
}

const require = createRequire(import.meta.url);

/** Handlebars takes quadratic time over nested blocks. */
const mostBlocks = 100;
/** The helpers of templates: Handlebars' own except `log`, and `json`. */
const inlineHelpers = ['json', 'lookup'];
const blockHelpers = ['if', 'unless', 'each', 'with'];
/** Inside the other block helpers, names are members of something else. */
const sameContext = ['if', 'unless'];

class TemplateFault extends Error {}

function readTemplate(text: string, handlebars: typeof Handlebars): ReadTemplate {
  if (text.split('{{#').length > mostBlocks)
    return { ok: false, message: `the template has more than ${mostBlocks} blocks` };
  try {
    const names: TemplateName[] = [];
    walk(handlebars.parse(text), names, true);
    return { ok: true, names };
  } catch (error) {
    return { ok: false, message: error instanceof TemplateFault ? error.message : parseMessage(error) };
  }
}

function walk(program: hbs.AST.Program | undefined, names: TemplateName[], own: boolean): void {
  for (const statement of program?.body ?? []) {
    switch (statement.type) {
      case 'ContentStatement':
      case 'CommentStatement':
        break;
      case 'MustacheStatement':
        mustache(statement as hbs.AST.MustacheStatement, names, own);
        break;
      case 'BlockStatement':
        block(statement as hbs.AST.BlockStatement, names, own);
        break;
      default:
        throw new TemplateFault('partials and decorators (">", "*") are not available in templates');
    }
  }
}

function mustache(statement: hbs.AST.MustacheStatement, names: TemplateName[], own: boolean): void {
  const { path, params } = statement;
  const name = nameOf(path);
  if (params.length === 0 && !inlineHelpers.includes(name)) {
    if (blockHelpers.includes(name))
      throw new TemplateFault(`{{${name}}} needs a # and an end: {{#${name} ...}}...{{/${name}}}`);
    expression(path, names, own, true);
    return;
  }
  if (!inlineHelpers.includes(name))
    throw new TemplateFault(`there is no helper "${name}"; known: ${inlineHelpers.join(', ')}`);
  if (name === 'json' && params.length !== 1) throw new TemplateFault('json takes one value: {{json name}}');
  for (const param of params) expression(param, names, own, false);
}

function block(statement: hbs.AST.BlockStatement, names: TemplateName[], own: boolean): void {
  const { path, params, program } = statement;
  // Optional, although the types of Handlebars say that it is always there.
  const inverse = statement.inverse as hbs.AST.Program | undefined;
  const name = nameOf(path);
  const helper = blockHelpers.includes(name);
  if (!helper && params.length > 0)
    throw new TemplateFault(`there is no block helper "${name}"; known: ${blockHelpers.join(', ')}`);
  if (!helper) expression(path, names, own, false);
  for (const param of params) expression(param, names, own, false);
  walk(program, names, own && sameContext.includes(name));
  walk(inverse, names, own && (helper || sameContext.includes(name)));
}

function expression(value: hbs.AST.Expression, names: TemplateName[], own: boolean, direct: boolean): void {
  if (value.type === 'SubExpression') {
    const { path, params } = value as hbs.AST.SubExpression;
    if (!inlineHelpers.includes(nameOf(path))) throw new TemplateFault(`there is no helper "${nameOf(path)}"`);
    for (const param of params) expression(param, names, own, false);
  } else if (value.type === 'PathExpression') {
    const { parts, depth, data } = value as hbs.AST.PathExpression;
    if (own && depth === 0 && !data && parts.length > 0) names.push({ parts: parts.map(String), direct });
  } else if (direct && own) {
    names.push({ parts: [nameOf(value)], direct });
  }
}

function nameOf(value: hbs.AST.Expression): string {
  // The `original` of a literal need not be a string.
  const { original } = value as { original?: unknown };
  return typeof original === 'string' ? original : JSON.stringify(original ?? value.type);
}

function parseMessage(error: unknown): string {
  const message = error instanceof Error ? error.message : '';
  if (message.includes("got 'EOF'")) return 'the template ends before the end of a block, such as {{/if}}';
  if (message.includes("got 'INVALID'"))
    return 'the template cannot be parsed: "{{" without "}}", or a character that names cannot contain';
  if (message.includes("doesn't match"))
    return `the blocks of the template do not match: ${message.split(' - ')[0] ?? ''}`;
  return 'the template cannot be parsed';
}
