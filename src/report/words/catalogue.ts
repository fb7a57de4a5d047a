import { overviewTexts } from './catalogue/overview.js';
import { changesTexts } from './catalogue/changes.js';
import { runTexts } from './catalogue/run.js';
import { pageTexts } from './catalogue/page.js';
import { diffTexts } from './catalogue/diff.js';
import { commandTexts } from './catalogue/commands.js';
import { connectionsTexts } from './catalogue/connections.js';

/**
 * Every sentence that reports say, in ICU MessageFormat. Each is short, and no code reads it back. What stands between
 * backticks is code. A table has an entry for each kind, so that a kind without a sentence does not compile.
 */
export const texts = {
  ...overviewTexts,
  ...changesTexts,
  ...runTexts,
  ...pageTexts,
  ...diffTexts,
  ...connectionsTexts,
  ...commandTexts,
};
