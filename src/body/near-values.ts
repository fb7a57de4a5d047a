import { nearest } from '../files/problems/nearest.js';
import type { Json } from '../json/json.js';
import { formFault, type Fault } from './fault.js';
import { hasTemplate } from './has-template.js';
import { valuesAt } from './values-at.js';

const efforts = ['none', 'minimal', 'low', 'medium', 'high', 'xhigh', 'max', 'auto', 'default'];

/**
 * Fields whose list of values is open, because vendors add their own, and the values that are in use; `*` is any place in
 * a list. What is near one of them is probably a mistake, but may be a vendor's own value, so it is only a warning.
 */
const openLists: readonly { readonly at: readonly string[]; readonly values: readonly string[] }[] = [
  { at: ['reasoning_effort'], values: efforts },
  { at: ['reasoning', 'effort'], values: efforts },
  { at: ['thinking', 'type'], values: ['enabled', 'disabled', 'auto', 'adaptive'] },
  { at: ['verbosity'], values: ['low', 'medium', 'high'] },
  {
    at: ['messages', '*', 'content', '*', 'type'],
    values: [
      ...[
        'text',
        'image_url',
        'input_audio',
        'file',
        'refusal',
        'video_url',
        'audio_url',
        'file_url',
        'image',
        'audio',
      ],
      ...['video', 'document', 'document_url', 'input_text', 'input_image', 'input_file', 'output_text', 'thinking'],
      ...['tool_use', 'tool_result', 'reference', 'input_video'],
    ],
  },
  { at: ['messages', '*', 'content', '*', 'image_url', 'detail'], values: ['low', 'high', 'auto', 'original'] },
];

/** Values that are near one in use, in a body or a part of one. */
export function* nearValueFaults(body: Json): Generator<Fault> {
  for (const { at, values } of openLists) {
    for (const { path, value } of valuesAt(body, at)) {
      if (typeof value !== 'string' || values.includes(value) || hasTemplate(value)) continue;
      const meant = nearest(value, values);
      if (meant === null) continue;
      const message = `${path.join('.')}: the text "${value}" is no value in use`;
      const hint = `did you mean "${meant}"?`;
      yield { ...formFault(path, message, hint), severity: 'warning' };
    }
  }
}
