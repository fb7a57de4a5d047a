import type { LostModel } from '../../matrix/diff/lost-models.js';
import { count, whatFailed } from '../view/phrases.js';
import type { Row, Section } from './diff-section.js';

const happened: Readonly<Record<LostModel['change'], string>> = {
  gone: 'the service does not know the model',
  unreachable: 'even a plain request failed',
  unmeasured: 'no answer could be judged',
};

/** Models of which no cell is left to compare. */
export function modelSections(models: readonly LostModel[]): readonly Section[] {
  const gone = models.filter(({ change }) => change === 'gone');
  const other = models.filter(({ change }) => change !== 'gone');
  return [
    { title: 'Gone', kind: 'lost', rows: gone.map(rowOf) },
    { title: 'Could not be measured', kind: 'other', rows: other.map(rowOf) },
  ];
}

function rowOf({ model, change, expected, judged, passed, failure }: LostModel): Row {
  const detail = failure?.detail ?? null;
  const why = failure === null ? '' : ` (${whatFailed(failure)})${detail === null ? '' : `: ${detail}`}`;
  const announced = expected ? ', as was announced' : '';
  return [model, `${passed} of ${count(judged, 'cell')} passed -> ${happened[change]}${announced}${why}`];
}
