import type { ReportLatency } from '../../../matrix/report-format.js';
import type { Quantiles } from '../../../matrix/timing.js';
import { durationText } from '../choices/latency-text.js';
import { count } from '../phrases.js';

/** A drawing of the answers of one model: a row for each kind of request, durations on the left, speeds on the right. */
export interface AnswerDots {
  readonly height: number;
  readonly rows: readonly { readonly y: number; readonly text: string }[];
  /** Paths: the lines on which the dots stand, the dots, the medians, and what 95 of 100 do not exceed. */
  readonly axes: string;
  readonly dots: string;
  readonly medians: string;
  readonly ends: string;
  /** What the ends of the axes stand for. */
  readonly scale: readonly { readonly x: number; readonly anchor: 'start' | 'end'; readonly text: string }[];
  /** All of it in words. */
  readonly label: string;
}

/** Units of the drawing, which is 400 wide. */
const panels = { total_ms: { from: 4, to: 228 }, tokens_per_second: { from: 262, to: 396 } } as const;
type Panel = keyof typeof panels;
const panelNames = Object.keys(panels) as Panel[];
const row = { height: 34, text: 11, strip: 24 };

interface Scale {
  readonly least: number;
  readonly most: number;
}
export type Scales = Readonly<Record<Panel, Scale | null>>;

/** The same scales for all models, so that their drawings can be compared. */
export function scalesOf(times: readonly ReportLatency[]): Scales {
  const scaleOf = (panel: Panel): Scale | null => {
    const values = times.flatMap((one) => drawn(one[panel])).filter((value) => value > 0);
    if (values.length === 0) return null;
    // Not spread: 100 models have more values than a call takes arguments.
    const [least, most] = values.reduce(([a, b], value) => [Math.min(a, value), Math.max(b, value)], [Infinity, 0]);
    // What is below a millisecond is no answer of a model that is worth a decade of the scale.
    const from = panel === 'total_ms' ? Math.max(1, least) : least;
    return { least: from, most: Math.max(from, most) };
  };
  return { total_ms: scaleOf('total_ms'), tokens_per_second: scaleOf('tokens_per_second') };
}

/** null: no answer of the model was timed. */
export function answerDots(times: readonly ReportLatency[], scales: Scales): AnswerDots | null {
  if (times.length === 0) return null;
  const parts = { axes: '', dots: '', medians: '', ends: '' };
  times.forEach((one, index) => {
    const y = index * row.height + row.strip;
    for (const panel of panelNames) {
      const scale = scales[panel];
      const values = one[panel];
      if (scale === null || values === null) continue;
      const x = (value: number) => position(value, scale, panel);
      parts.axes += `M${panels[panel].from} ${y}H${panels[panel].to}`;
      for (const value of values.spread ?? []) parts.dots += `M${x(value)} ${y}h0`;
      parts.medians += `M${x(values.p50)} ${y - 6}v12`;
      parts.ends += `M${x(values.p95)} ${y - 4}l4 4l-4 4l-4 -4z`;
    }
  });
  const texts = times.map(rowText);
  return {
    ...parts,
    height: times.length * row.height + 12,
    rows: texts.map((text, index) => ({ y: index * row.height + row.text, text })),
    scale: panelNames.flatMap((panel) => scaleTexts(scales[panel], panel)),
    label: times.map((one, index) => `${texts[index] ?? ''}, ${count(one.answers, 'answer')}`).join('; '),
  };
}

const drawn = (values: Quantiles | null): readonly number[] =>
  values === null ? [] : [values.p50, values.p95, ...(values.spread ?? [])];

/** On a logarithmic scale: a service that is twice as slow is as far away everywhere. */
function position(value: number, { least, most }: Scale, panel: Panel): number {
  const { from, to } = panels[panel];
  if (most <= least) return (from + to) / 2;
  const share = Math.log(Math.max(value, least) / least) / Math.log(most / least);
  return Math.round((from + share * (to - from)) * 10) / 10;
}

/** "json_schema, streamed: 850 ms / 3.4 s, 45 / 60 tokens a second" */
function rowText({ kind, stream, total_ms: whole, tokens_per_second: rate }: ReportLatency): string {
  const two = (one: string, other: string) => (one === other ? one : `${one} / ${other}`);
  const parts = [
    ...(whole === null ? [] : [two(durationText(whole.p50), durationText(whole.p95))]),
    ...(rate === null ? [] : [`${two(speed(rate.p50), speed(rate.p95))} tokens a second`]),
  ];
  return `${kind}${stream === true ? ', streamed' : ''}: ${parts.join(', ')}`;
}

const speed = (value: number): string => Number(value.toPrecision(2)).toLocaleString('en');

function scaleTexts(scale: Scale | null, panel: Panel): AnswerDots['scale'] {
  if (scale === null) return [];
  const text = (value: number) => (panel === 'total_ms' ? durationText(value) : `${speed(value)}/s`);
  const { from, to } = panels[panel];
  return [
    { x: from, anchor: 'start', text: text(scale.least) },
    { x: to, anchor: 'end', text: text(scale.most) },
  ];
}
