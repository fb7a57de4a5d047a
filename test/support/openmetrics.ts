/** A line of OpenMetrics text. */
export interface Metric {
  readonly name: string;
  readonly labels: Readonly<Record<string, string>>;
  readonly value: number;
}

export interface MetricFamily {
  readonly name: string;
  readonly type: string;
  readonly unit: string | null;
  readonly help: string;
  readonly metrics: readonly Metric[];
}

/** The suffixes that the samples of each type may have (OpenMetrics 1.0, "Suffixes"). */
const suffixes: Readonly<Record<string, readonly string[]>> = {
  gauge: [''],
  info: ['_info'],
  summary: ['', '_count', '_sum', '_created'],
  counter: ['_total', '_created'],
};

const familyName = /^[a-zA-Z_:][a-zA-Z0-9_:]*$/;
const labelName = /^[a-zA-Z_][a-zA-Z0-9_]*$/;

/**
 * Reads OpenMetrics 1.0 text as a strict scraper does, and throws for what the specification forbids: no `# EOF` at the
 * very end, empty lines, families that are interleaved or come twice, metadata after samples or twice, a unit that the
 * name does not end in, wrong suffixes, escapes or numbers, a series that comes twice.
 */
export function parseOpenMetrics(text: string): readonly MetricFamily[] {
  if (!text.endsWith('\n# EOF\n')) throw new Error('the text must end with # EOF and a line feed');
  if (/[\r\u0000-\u0009]/.test(text)) throw new Error('a control character');
  const families: { name: string; type: string; unit: string | null; help: string | null; metrics: Metric[] }[] = [];
  const series = new Set<string>();
  for (const line of text.slice(0, -'# EOF\n'.length).split('\n').slice(0, -1)) {
    const about = /^# (TYPE|UNIT|HELP) (\S+) (.*)$/.exec(line);
    const current = families.at(-1);
    if (about !== null) {
      const [, what, name = '', value = ''] = about;
      if (!familyName.test(name)) throw new Error(`no name of a family: ${name}`);
      if (what === 'TYPE') {
        if (families.some((one) => one.name === name)) throw new Error(`${name} comes twice`);
        if (!(value in suffixes)) throw new Error(`no type: ${value}`);
        families.push({ name, type: value, unit: null, help: null, metrics: [] });
        continue;
      }
      if (current?.name !== name || current.metrics.length > 0) throw new Error(`${what} of ${name} is out of place`);
      if (what === 'UNIT') {
        if (!name.endsWith(`_${value}`)) throw new Error(`${name} does not end in ${value}`);
        if (current.type === 'info') throw new Error('an info has no unit');
        current.unit = value;
      } else current.help = unescaped(value);
      continue;
    }
    const metric = metricIn(line);
    if (current === undefined) throw new Error(`no family: ${line}`);
    const suffix = metric.name.slice(current.name.length);
    if (!metric.name.startsWith(current.name) || !suffixes[current.type]?.includes(suffix)) {
      throw new Error(`${metric.name} is no sample of the ${current.type} ${current.name}`);
    }
    const isQuantile = current.type === 'summary' && suffix === '';
    const quantile = metric.labels['quantile'];
    if (isQuantile !== (quantile !== undefined)) throw new Error(`a quantile out of place: ${line}`);
    if (quantile !== undefined && !(Number(quantile) >= 0 && Number(quantile) <= 1))
      throw new Error(`no quantile: ${line}`);
    if (current.type === 'info' && metric.value !== 1) throw new Error('an info is 1');
    const id = `${metric.name} ${JSON.stringify(Object.entries(metric.labels).sort())}`;
    if (series.has(id)) throw new Error(`twice: ${line}`);
    series.add(id);
    current.metrics.push(metric);
  }
  return families.map(({ help, ...family }) => {
    if (help === null) throw new Error(`${family.name} has no help`);
    return { ...family, help };
  });
}

function metricIn(line: string): Metric {
  const [, name = '', labels, value = ''] =
    /^([a-zA-Z_:][a-zA-Z0-9_:]*)(?:\{((?:[^"}]|"(?:[^"\\]|\\.)*")*)\})? (\S+)$/.exec(line) ?? [];
  if (name === '') throw new Error(`no sample: ${line}`);
  if (!/^(?:[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:e[+-]?\d+)?|[+-]?Inf|NaN)$/i.test(value))
    throw new Error(`no number: ${value}`);
  const number = Number(value.replace('Inf', 'Infinity'));
  return { name, labels: labels === undefined ? {} : labelsIn(labels, line), value: number };
}

function labelsIn(text: string, line: string): Record<string, string> {
  const found: Record<string, string> = {};
  const pair = /([^=,"]+)="((?:[^"\\]|\\.)*)"(,|$)/gy;
  let at = 0;
  for (let match = pair.exec(text); match !== null; match = pair.exec(text)) {
    const [, name = '', value = '', comma] = match;
    at = pair.lastIndex;
    if (!labelName.test(name) || name in found) throw new Error(`no label, or twice: ${name}`);
    if (comma === ',' && at === text.length) throw new Error(`a comma at the end: ${line}`);
    found[name] = unescaped(value);
  }
  if (at !== text.length) throw new Error(`no labels: ${line}`);
  return found;
}

function unescaped(text: string): string {
  return text.replace(/\\(.)/gs, (_, escaped: string) => {
    if (escaped === 'n') return '\n';
    if (escaped === '\\' || escaped === '"') return escaped;
    throw new Error(`no escape: \\${escaped}`);
  });
}
