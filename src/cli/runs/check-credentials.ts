import { credentialProblems } from '../../assemble/connect.js';
import type { Environment } from '../../assemble/project.js';
import type { TargetConfig } from '../../config/config.js';
import { type Problem, warningsOrThrow } from '../../files/problems/problem.js';
import type { Io } from '../terminal/io.js';
import { printProblems } from '../terminal/print-problems.js';

/** Before anything is sent: throws a UserError with every key that is missing, and prints warnings for unusual ones. */
export function checkCredentials(targets: readonly TargetConfig[], env: Environment, io: Io): void {
  printProblems(warningsOrThrow(credentialProblems(targets, env)), io);
}

/** The same for a verb that sends nothing: there, a missing key is only worth a warning. */
export function credentialWarnings(targets: readonly TargetConfig[], env: Environment): readonly Problem[] {
  return credentialProblems(targets, env).map((problem) => ({ ...problem, severity: 'warning' }));
}
