/** An element of an XML document. */
export interface Element {
  readonly name: string;
  readonly attributes: Readonly<Record<string, string>>;
  readonly children: Element[];
  text: string;
}

const entities: Readonly<Record<string, string>> = { lt: '<', gt: '>', amp: '&', quot: '"', apos: "'" };

/** Reads XML 1.0 without a DTD, and throws for what is not well-formed. */
export function parseXml(xml: string): Element {
  const text = (raw: string): string => {
    if (/[<]|\]\]>|&(?!(?:lt|gt|amp|quot|apos|#\d+|#x[\da-fA-F]+);)/.test(raw)) throw new Error(`not escaped: ${raw}`);
    if (/[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/u.test(raw)) throw new Error('a forbidden character');
    return raw.replace(/&(#x?)?([\da-zA-Z]+);/g, (_, numeric: string | undefined, name: string) =>
      numeric === undefined
        ? (entities[name] ?? '')
        : String.fromCodePoint(Number(numeric === '#x' ? `0x${name}` : name)),
    );
  };
  const document: Element = { name: '', attributes: {}, children: [], text: '' };
  const open: Element[] = [document];
  const token = /<\?xml [^>]*\?>|<(\/?)([\w.:-]+)((?:\s+[\w.:-]+\s*=\s*"[^"]*")*)\s*(\/?)>|([^<]+)/gy;
  let at = 0;
  for (let found = token.exec(xml); found !== null; found = token.exec(xml)) {
    at = token.lastIndex;
    const [, closes, name, attributes = '', empty, words] = found;
    const parent = open.at(-1)!;
    if (words !== undefined) parent.text += text(words);
    if (name === undefined) continue;
    if (closes) {
      if (open.pop()?.name !== name) throw new Error(`</${name}> closes nothing`);
      continue;
    }
    const pairs = [...attributes.matchAll(/([\w.:-]+)\s*=\s*"([^"]*)"/g)].map(([, key, value]) => [key, text(value!)]);
    if (new Set(pairs.map(([key]) => key)).size !== pairs.length) throw new Error(`${name} has an attribute twice`);
    const element: Element = {
      name,
      attributes: Object.fromEntries(pairs) as Record<string, string>,
      children: [],
      text: '',
    };
    parent.children.push(element);
    if (!empty) open.push(element);
  }
  if (at !== xml.length || open.length !== 1 || document.children.length !== 1) throw new Error(`not XML at ${at}`);
  return document.children[0]!;
}

const count = /^\d+$/;
const any = /^/;
const seconds = /^\d+\.\d{3}$/;
const outcome = { attributes: { message: any, type: any }, required: ['message', 'type'], text: true, children: [] };

interface Shape {
  readonly attributes: Readonly<Record<string, RegExp>>;
  readonly required: readonly string[];
  readonly text: boolean;
  readonly children: readonly string[];
}

/** What junit-10.xsd of the xUnit plugin of Jenkins allows, and what most readers require. */
const shapes: Readonly<Record<string, Shape>> = {
  testsuites: {
    attributes: { name: any, time: seconds, tests: count, failures: count, disabled: count, errors: count },
    ...{ required: ['tests', 'failures', 'errors'], text: false, children: ['testsuite'] },
  },
  testsuite: {
    attributes: {
      ...{ name: any, tests: count, failures: count, errors: count, skipped: count, disabled: count, time: seconds },
      ...{ timestamp: /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?Z?$/, hostname: any, id: any, package: any },
    },
    required: ['name', 'tests', 'failures', 'errors', 'skipped', 'timestamp'],
    ...{ text: false, children: ['properties', 'testcase', 'system-out', 'system-err'] },
  },
  testcase: {
    attributes: { name: /./, classname: /./, time: seconds, assertions: count, status: any },
    ...{ required: ['name', 'classname'], text: false },
    children: ['skipped', 'error', 'failure', 'system-out', 'system-err'],
  },
  failure: outcome,
  error: outcome,
  skipped: { ...outcome, text: false },
  'system-out': { attributes: {}, required: [], text: true, children: [] },
};

/**
 * What is wrong with a JUnit document by its structure: elements, attributes, and counts that are not those of its
 * cases.
 */
export function junitProblems(root: Element): string[] {
  const problems: string[] = root.name === 'testsuites' ? [] : [`the root is ${root.name}`];
  const visit = (element: Element, path: string): void => {
    const here = `${path}/${element.name}`;
    const shape = shapes[element.name];
    if (shape === undefined) {
      problems.push(`${here} is not known`);
      return;
    }
    for (const [name, value] of Object.entries(element.attributes)) {
      const allowed = shape.attributes[name];
      if (allowed === undefined || !allowed.test(value)) problems.push(`${here}@${name}="${value}"`);
    }
    for (const name of shape.required) if (!(name in element.attributes)) problems.push(`${here} lacks ${name}`);
    if (!shape.text && element.text.trim() !== '') problems.push(`${here} has text`);
    for (const child of element.children) {
      if (!shape.children.includes(child.name)) problems.push(`${here} holds ${child.name}`);
      visit(child, here);
    }
    const outcomes = element.children.filter(({ name }) => ['skipped', 'error', 'failure'].includes(name));
    if (element.name === 'testcase' && outcomes.length > 1) problems.push(`${here} has several outcomes`);
    if (element.name.startsWith('testsuite')) problems.push(...wrongCounts(element, here));
  };
  visit(root, '');
  const names = casesIn(root).map(({ attributes: { name, classname } }) => `${classname ?? ''} ${name ?? ''}`);
  if (new Set(names).size !== names.length) problems.push('two test cases have the same name');
  return problems;
}

function wrongCounts(element: Element, here: string): string[] {
  const cases = casesIn(element);
  const having = (name: string): number =>
    cases.filter(({ children }) => children.some((one) => one.name === name)).length;
  const real = {
    tests: cases.length,
    failures: having('failure'),
    errors: having('error'),
    skipped: having('skipped'),
  };
  return Object.entries(real).flatMap(([name, number]) =>
    name in element.attributes && element.attributes[name] !== String(number) ? [`${here} has ${number} ${name}`] : [],
  );
}

export function casesIn(element: Element): Element[] {
  return element.name === 'testcase' ? [element] : element.children.flatMap(casesIn);
}
