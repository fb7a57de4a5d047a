import type pc from 'picocolors';
import stringWidth from 'string-width';
import { capped } from '../../report/safe/capped.js';
import { oneLine } from '../../report/safe/escape.js';
import type { Redact } from '../../report/safe/redact.js';
import type { CheckedForm } from './answer.js';
import { countText, formText, intervalText, secondsText } from './form-texts.js';

interface TableStyle {
  readonly width: number;
  readonly redact: Redact;
  readonly color: ReturnType<typeof pc.createColors>;
}

const heads = ['form', 'max_tokens', 'conform', '95 %', 'tokens', 'latency'] as const;

/** The forms with what was counted, one a line, and why a form cannot be relied on below it. */
export function tableOf(forms: readonly CheckedForm[], { width, redact, color }: TableStyle): readonly string[] {
  if (forms.length === 0) return [];
  const rows = forms.map((form) => [
    oneLine(formText(form)),
    form.max_tokens === null ? '' : String(form.max_tokens),
    countText(form),
    form.trials.total === 0 ? '' : intervalText(form),
    form.tokens === null ? '' : String(form.tokens.median),
    form.latency_ms === null ? '' : secondsText(form.latency_ms),
  ]);
  const widths = heads.map((head, column) =>
    [head, ...rows.map((row) => row[column] ?? '')].reduce((most, text) => Math.max(most, stringWidth(text)), 0),
  );
  const line = (cells: readonly string[]): string =>
    cells
      .map((text, column) => {
        const space = ' '.repeat((widths[column] ?? 0) - stringWidth(text));
        return column === 0 ? `${text}${space}` : `${space}${text}`;
      })
      .join('  ')
      .trimEnd();
  return [
    color.dim(`  ${line(heads)}`),
    ...forms.flatMap((form, index) => {
      const mark = form.holds ? color.green('✓') : isOpen(form) ? color.yellow('?') : color.red('✗');
      const note = noteOf(form);
      const above = forms[index - 1];
      const same = above !== undefined && noteOf(above) === note;
      const text = same ? 'the same' : capped(redact(note ?? ''), Math.max(40, 2 * width - 10), '--json shows all');
      const why = note === null ? [] : [`    ${oneLine(text)}`];
      return [`${mark} ${line(rows[index] ?? [])}`, ...why];
    }),
  ];
}

/** Neither known to hold nor known not to. */
function isOpen({ holds, verdict }: CheckedForm): boolean {
  return !holds && verdict !== 'fail' && verdict !== 'flaky';
}

function noteOf(form: CheckedForm): string | null {
  if (form.holds) return null;
  if (form.verdict === 'pass') return `${form.trials.needed} more passes would be needed`;
  return form.detail ?? form.class ?? (form.verdict === 'not_run' ? 'not asked' : null);
}
