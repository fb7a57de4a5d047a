import type { RunRequest } from '../../journal/recorded-exchanges.js';

/** Whether this is the control of a trial: it asks for nothing that could be a cause of its own to fail. */
export function isPlain({ cell, send }: RunRequest): boolean {
  return cell !== null && send.purpose === 'control';
}
