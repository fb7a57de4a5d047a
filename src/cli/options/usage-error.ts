import { UserError } from '../../files/problems/problem.js';

/** What was asked for cannot be done as it stands; no file is at fault. */
export function usageError(message: string, hint?: string): UserError {
  return new UserError([{ severity: 'error', place: null, message, ...(hint === undefined ? {} : { hint }) }]);
}
