import type { Change } from '../../matrix/changes/change.js';
import { causeText, remedyText, scopeText, sinceText } from '../words/change-texts.js';
import { joinedNames, type Names } from './names.js';

/** A change in words. */
export interface ChangeRow extends Pick<Change, 'kind'> {
  /** As people call the models. */
  readonly names: string;
  readonly what: string;
  readonly todo: string;
  readonly since: string;
  readonly scope: string;
}

export function changeRow(change: Change, names: Names): ChangeRow {
  return {
    kind: change.kind,
    names: joinedNames(change.models.map(names.model), 2),
    what: causeText(change.cause, names),
    todo: remedyText(change.remedy),
    since: sinceText(change.since),
    scope: scopeText(change),
  };
}
