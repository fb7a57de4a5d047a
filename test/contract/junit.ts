import { casesIn, junitProblems, parseXml } from '../support/junit-structure.js';
import type { Cell } from './facts.js';

/** Key and outcome of every test case. A case that is none of a cell stands under its own name. */
export function casesOf(xml: string, cells: readonly Pick<Cell, 'key'>[]): [key: string, outcome: string][] {
  const document = parseXml(xml);
  const problems = junitProblems(document);
  if (problems.length > 0) throw new Error(problems.join('\n'));
  const keys = new Map(cells.map(({ key }) => [caseOf(key), key]));
  return casesIn(document).map(({ attributes: { name = '', classname = '' }, children }) => {
    const outcome = children.find((child) => ['failure', 'skipped', 'error'].includes(child.name));
    return [keys.get(`${classname} ${name}`) ?? `${classname} ${name}`, outcome?.name ?? 'passed'];
  });
}

/** How a cell is called there: readers of JUnit files follow a case from night to night by its class and name. */
const caseOf = (key: string): string => key.replace(/^([^/]+)\/(.+)@(.+)$/, '$1.$3 $2');
