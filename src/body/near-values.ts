import { nearest } from '../files/problems/nearest.js';
import type { Json } from '../json/json.js';
import { formFault, hasTemplate, type Fault } from './fault.js';
import { valuesAt } from './values-at.js';

const efforts = 'none minimal low medium high xhigh max auto default';

/** Fields whose list of values is open, because vendors add their own, and the values in use; `*` is any place in a list. */
const openLists: Readonly<Record<string, string>> = {
  reasoning_effort: efforts,
  'reasoning.effort': efforts,
  'thinking.type': 'enabled disabled auto adaptive',
  verbosity: 'low medium high',
  'messages.*.content.*.type':
    'text image_url input_audio file refusal video_url audio_url file_url image audio video document document_url ' +
    'input_text input_image input_file output_text thinking tool_use tool_result reference input_video',
  'messages.*.content.*.image_url.detail': 'low high auto original',
};

/** Values that are near one in use: probably a mistake, but perhaps a vendor's own, so only a warning. */
export function* nearValueFaults(body: Json): Generator<Fault> {
  for (const [place, list] of Object.entries(openLists)) {
    const values = list.split(' ');
    for (const { path, value } of valuesAt(body, place.split('.'))) {
      if (typeof value !== 'string' || values.includes(value) || hasTemplate(value)) continue;
      const meant = nearest(value, values);
      if (meant === null) continue;
      const message = `${path.join('.')}: the text "${value}" is no value in use`;
      yield { ...formFault(path, message, `did you mean "${meant}"?`), severity: 'warning' };
    }
  }
}
