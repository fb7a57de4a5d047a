import { visible } from '../safe/escape.js';
import { inert } from '../safe/runner-commands.js';

export type Labels = Readonly<Record<string, string>>;

/** One line. A suffix of the type follows the name of its family: `_count` of a summary. */
export interface Sample {
  readonly suffix?: '_count';
  readonly labels: Labels;
  readonly value: number;
}

/**
 * A metric family of OpenMetrics 1.0; the name ends in the unit, if there is one. Of the types only those that the older
 * text format of Prometheus has as well, which a Pushgateway and the text collector of node_exporter read.
 */
export interface Family {
  readonly name: string;
  readonly type: 'gauge' | 'summary';
  readonly unit?: 'seconds' | 'ratio';
  /** Without quotation marks, which the two formats escape differently. */
  readonly help: string;
  readonly samples: readonly Sample[];
}

/** The families as OpenMetrics text. Those without samples are left out. */
export function* exposition(families: readonly Family[]): Iterable<string> {
  for (const { name, type, unit, help, samples } of families) {
    if (samples.length === 0) continue;
    yield `# TYPE ${name} ${type}\n`;
    if (unit !== undefined) yield `# UNIT ${name} ${unit}\n`;
    yield `# HELP ${name} ${help}\n`;
    for (const { suffix = '', labels, value } of samples)
      yield `${name}${suffix}${labelText(labels)} ${number(value)}\n`;
  }
  yield '# EOF\n';
}

/** An empty label is the same as none. */
function labelText(labels: Labels): string {
  const pairs = Object.entries(labels).filter(([, value]) => value !== '');
  if (pairs.length === 0) return '';
  return `{${pairs.map(([name, value]) => `${name}="${escaped(inert(visible(value)))}"`).join(',')}}`;
}

function escaped(text: string): string {
  return text.replaceAll('\\', '\\\\').replaceAll('\n', '\\n').replaceAll('"', '\\"');
}

function number(value: number): string {
  if (Number.isNaN(value)) return 'NaN';
  if (!Number.isFinite(value)) return value > 0 ? '+Inf' : '-Inf';
  return String(value);
}
