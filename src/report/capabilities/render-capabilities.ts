import type { Report } from '../../matrix/report-format.js';
import { jsonText } from '../safe/visible-json.js';
import { capabilityMapOf } from './capability-map-of.js';

/** capabilities.json. It holds names, ids, counts and sentences of chatspec, and no text of a service. */
export function renderCapabilities(report: Report): Promise<string> {
  return Promise.resolve(`${jsonText(capabilityMapOf(report))}\n`);
}
