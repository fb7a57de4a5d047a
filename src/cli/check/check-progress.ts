import type { RunReporter } from '../../assemble/execute-plan.js';
import { capped } from '../../report/safe/capped.js';
import { oneLine } from '../../report/safe/escape.js';
import type { Redact } from '../../report/safe/redact.js';
import { stopText } from '../../report/words/stop-text.js';
import { withoutModel } from '../../cell/cell-key.js';
import type { Io } from '../terminal/io.js';

/** Longer waits than this are told, in seconds. */
const longWait = 2;

/** A line on standard error for each form that is decided, since a check has few of them, and for what holds it up. */
export function checkProgress(redact: Redact, io: Io): RunReporter {
  let requests = 0;
  const say = (text: string): void => {
    io.err(`chatspec: ${oneLine(capped(redact(text)))}\n`);
  };
  return {
    onEvent(event) {
      if (event.type === 'exchange') requests += 1;
      else if (event.type === 'waiting' && event.seconds >= longWait)
        say(`waiting ${event.seconds.toFixed(0)} s for the service`);
      else if (event.type === 'stopped') say(stopText(event.stop));
      else if (event.type === 'cell' && event.finding.trials.total > 0) {
        const { passed, total } = event.finding.trials;
        const name = withoutModel(event.cell).replace(/^check\//, '');
        say(`${name}: ${passed} of ${total} conform (${requests} requests so far)`);
      }
    },
  };
}
