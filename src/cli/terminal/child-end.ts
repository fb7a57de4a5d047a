import { constants } from 'node:os';

/** The exit code of a program that a signal ended, as a shell tells it. */
export const codeOfSignal = (signal: NodeJS.Signals | null): number =>
  signal === null ? 1 : 128 + constants.signals[signal];

/** `ended with exit code 3`, `was ended by SIGKILL` */
export const endText = (code: number, signal: NodeJS.Signals | null): string =>
  signal === null ? `ended with exit code ${code}` : `was ended by ${signal}`;
