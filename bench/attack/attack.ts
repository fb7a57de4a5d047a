/**
 * One thing that a hostile service, file or machine does to chatspec, played on loopback. Each file of `subjects` exports
 * `attacks`, a list of these; `npm run attack` plays all of them.
 */
export interface Attack {
  /** What is done, in a few words: unique within its subject. */
  readonly name: string;
  /** Plays it. An attack that throws did not hold. */
  run(): Promise<AttackResult>;
}

export interface AttackResult {
  readonly held: boolean;
  /** What was measured, in one line, with units. */
  readonly figure: string;
}
