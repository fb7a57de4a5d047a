import type { Config, TargetConfig } from '../../config/config.js';
import { credentialsOf } from '../../config/index.js';
import { type Problem, UserError } from '../../files/problems/problem.js';
import type { Plan } from '../../plan/ticket.js';
import type { RunTarget } from '../../run/target-state.js';
import type { Simulator } from '../../simulator/index.js';
import type { Transport } from '../../transport/open-transport.js';
import type { Io } from '../terminal/io.js';
import { printProblems } from '../terminal/print-problems.js';

type Environment = Readonly<Record<string, string | undefined>>;

/** Open connections to every target that is asked. */
export interface Connections {
  readonly targets: ReadonlyMap<string, RunTarget>;
  readonly close: () => Promise<void>;
}

/** The targets that a plan asks. */
export function askedTargets(config: Config, plan: Plan): readonly TargetConfig[] {
  const asked = new Set(plan.tickets.map(({ cell }) => cell.model.target));
  return config.targets.filter(({ name }) => asked.has(name));
}

/** Before anything is sent: every missing key at once, as a UserError; unusual keys are warned of. */
export function checkCredentials(targets: readonly TargetConfig[], env: Environment, io: Io): void {
  const problems = credentialProblems(targets, env);
  if (problems.some(({ severity }) => severity === 'error')) throw new UserError(problems);
  printProblems(problems, io);
}

/** The same for a verb that sends nothing: a key that is missing is worth a warning. */
export function credentialWarnings(targets: readonly TargetConfig[], env: Environment): readonly Problem[] {
  return credentialProblems(targets, env).map((problem) => ({ ...problem, severity: 'warning' }));
}

function credentialProblems(targets: readonly TargetConfig[], env: Environment): readonly Problem[] {
  return targets.flatMap((target) => credentialsOf(target, env).problem ?? []);
}

/** Opens a transport for each target, and the embedded service where one names it. */
export async function connect(
  targets: readonly TargetConfig[],
  env: Environment,
  options: { readonly seed: number; readonly concurrency?: number | undefined },
): Promise<Connections> {
  const { openTransport } = await import('../../transport/open-transport.js');
  const simulator = await simulatorFor(targets, options.seed);
  const transports: Transport[] = [];
  const opened = targets.map((target): readonly [string, RunTarget] => {
    const simulated = target.baseUrl === 'simulator';
    const credentials = credentialsOf(target, env);
    const transport = openTransport(target, credentials, {
      ...(simulated && simulator !== null ? { baseUrl: simulator.baseUrl } : {}),
      proxies: { httpsProxy: env['HTTPS_PROXY'] ?? env['https_proxy'], noProxy: env['NO_PROXY'] ?? env['no_proxy'] },
    });
    transports.push(transport);
    const concurrency = options.concurrency ?? target.limits.concurrency;
    return [
      target.name,
      {
        config: { ...target, limits: { ...target.limits, concurrency } },
        simulator: simulated,
        send: (body, extra, signal) => transport.send(body, extra, signal),
      },
    ];
  });
  return {
    targets: new Map(opened),
    async close() {
      await Promise.all(transports.map((transport) => transport.close()));
      await simulator?.close();
    },
  };
}

async function simulatorFor(targets: readonly TargetConfig[], seed: number): Promise<Simulator | null> {
  if (!targets.some(({ baseUrl }) => baseUrl === 'simulator')) return null;
  const { startSimulator } = await import('../../simulator/index.js');
  return startSimulator({ seed });
}
