import { splitAtModel } from '../../cell/cell-key.js';
import type { LostModel } from '../../matrix/diff/lost-models.js';
import type { UnmeasuredCells } from '../../matrix/diff/unmeasured-cells.js';
import { saidByService } from '../../matrix/said-by-service.js';
import { unansweredText } from '../../matrix/unmeasured/unmeasured-text.js';
import { count, whatFailed } from '../words/phrases.js';
import type { Row, Section } from './diff-section.js';

const happened: Readonly<Record<LostModel['change'], string>> = {
  gone: 'the service does not know the model',
  unreachable: 'even a plain request failed',
  unmeasured: 'no answer could be judged',
};

/** Models of which no cell is left to compare, and what the others no longer answer. */
export function modelSections(
  models: readonly LostModel[],
  unmeasured: readonly UnmeasuredCells[],
): readonly Section[] {
  const gone = models.filter(({ change }) => change === 'gone');
  const other = models.filter(({ change }) => change !== 'gone');
  return [
    { title: 'Gone', kind: 'lost', rows: gone.map(rowOf) },
    {
      title: 'Could not be measured',
      kind: 'other',
      rows: [...other.map(rowOf), ...unmeasured.filter(({ whole }) => whole).map(unmeasuredRow)],
    },
  ];
}

function rowOf({ model, change, expected, judged, passed, failure, not_asked: notAsked }: LostModel): Row {
  const detail = failure?.detail ?? null;
  const why = failure === null ? '' : ` (${whatFailed(failure)})${detail === null ? '' : `: ${detail}`}`;
  const announced = expected ? ', as was announced' : '';
  return [
    model,
    `${passed} of ${count(judged, 'cell')} passed -> ${notAsked === true ? 'it was not asked' : happened[change]}${announced}${why}`,
  ];
}

function unmeasuredRow({ shared, capability, cells, answers, detail }: UnmeasuredCells): Row {
  const { model } = splitAtModel(cells[0] ?? '');
  const what = `${shared ?? capability}${model === null ? '' : `@${model}`}`;
  const now = answers === null ? 'no answer could be judged' : unansweredText(answers);
  const why = detail === null ? '' : `: ${saidByService(detail)}`;
  return [what, `${count(cells.length, 'cell')} passed -> ${now}${why}`];
}
