import type { NeedName } from '../../suite/suite-file.js';

/** What a client may need, in the order in which reports show it, with a title for people. Suites declare the forms that serve it. */
export const needTitles: Readonly<Record<NeedName, string>> = {
  plain_text: 'Plain text',
  structured: 'Fixed fields (a schema)',
  free_json: 'Any JSON object',
  tool_call: 'Tool call',
};

export const needNames = Object.keys(needTitles) as readonly NeedName[];
