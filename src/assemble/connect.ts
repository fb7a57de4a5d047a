import type { Config, TargetConfig } from '../config/config.js';
import { accountsOf } from '../config/accounts.js';
import { credentialsOf, problemsOfCredentials } from '../config/credentials.js';
import type { Environment } from '../config/key-variables.js';
import { warningsOrThrow, type Problem } from '../files/problems/problem.js';
import type { Plan } from '../plan/plan.js';
import type { RunTarget, SendRequest } from '../run/target-state.js';
import { proxiesFor, proxyFault } from '../transport/dispatcher.js';
import {
  type CredentialSource,
  type ModelList,
  openTransport,
  type TransportCredentials,
} from '../transport/open-transport.js';
import { commandsOf, openSecretCommands, type SecretCommands } from './secret-commands.js';
import type { Masker } from '../masking/masker.js';

/** Open connections to every target that is asked. */
export interface Connections {
  /** By name. */
  readonly targets: ReadonlyMap<string, RunTarget>;
  /** The ids that the `/models` of a target lists. Never rejects. */
  readonly modelsOf: (target: string) => Promise<ModelList>;
  readonly close: () => Promise<void>;
  /** Finds what the programs of the config have printed. */
  readonly keys: Masker;
}

export interface ConnectOptions {
  /** Seeds the embedded service, where a target names it. */
  readonly seed: number;
  /** Requests at once for each target, in place of the config's limit. */
  readonly concurrency?: number | undefined;
}

/** The targets that a plan asks. */
export function plannedTargets(config: Config, plan: Plan): readonly TargetConfig[] {
  const names = new Set(plan.cells.map(({ cell }) => cell.model.target));
  return config.targets.filter(({ name }) => names.has(name));
}

/** Keys that are missing (errors) or look unusual (warnings), of all targets at once, and a proxy that is none. */
export function credentialProblems(targets: readonly TargetConfig[], env: Environment): readonly Problem[] {
  const addresses = targets.map(({ baseUrl }) => baseUrl);
  const fault = proxyFault(addresses, env);
  return [
    ...problemsOfCredentials(targets, env),
    ...(fault === null ? [] : [{ severity: 'error' as const, place: null, ...fault }]),
  ];
}

/**
 * Opens a transport for each target, and starts the embedded service where a target names it. Nothing is sent before
 * the run asks. Close the connections when the run has ended. Throws a {@link UserError} with every key that is
 * missing.
 */
export async function connect(
  targets: readonly TargetConfig[],
  env: Environment,
  { seed, concurrency }: ConnectOptions,
): Promise<Connections> {
  warningsOrThrow(credentialProblems(targets, env));
  const commands = openSecretCommands(env);
  await commands.open(targets);
  const simulator = targets.some(isSimulator)
    ? await (await import('../simulator/simulator.js')).startSimulator({ seed, log: 0 })
    : null;
  const accounts = accountsOf(targets, env);
  const opened = targets.map((target) => {
    const own = isSimulator(target) && simulator !== null ? { baseUrl: simulator.baseUrl } : {};
    const options = { ...own, proxies: proxiesFor(target.baseUrl, env) };
    return { target, transport: openTransport(target, credentialSource(target, env, commands), options) };
  });
  return {
    targets: new Map(
      opened.map(({ target, transport }) => [
        target.name,
        runTarget(
          { ...target, limits: { ...target.limits, concurrency: concurrency ?? target.limits.concurrency } },
          accounts.get(target.name),
          (body, extra, signal) => transport.send(body, extra, signal),
        ),
      ]),
    ),
    keys: commands.keys,
    async modelsOf(name) {
      const found = opened.find(({ target }) => target.name === name);
      return (await found?.transport.models()) ?? { ids: null, why: 'it is not connected' };
    },
    async close() {
      await Promise.all(opened.map(({ transport }) => transport.close()));
      await simulator?.close();
    },
  };
}

/** The credentials of a target; programs that it names are asked again where that is due. */
function credentialSource(
  target: TargetConfig,
  env: Environment,
  commands: SecretCommands,
): TransportCredentials | CredentialSource {
  const named = commandsOf(target).map(([command]) => command);
  const credentials = (): TransportCredentials => credentialsOf(target, env, (command) => commands.valueOf(command));
  if (named.length === 0) return credentials();
  let newest = credentials();
  const current = (): TransportCredentials => {
    const values = named.map((command) => commands.valueOf(command));
    if (values.some((value) => value !== undefined && !newest.secrets.includes(value))) newest = credentials();
    return newest;
  };
  return {
    async current() {
      await commands.refresh(named);
      return current();
    },
    async afterRefusal(refused) {
      for (const command of named) {
        const value = commands.valueOf(command);
        if (value !== undefined && refused.secrets.includes(value)) await commands.renew(command, value);
      }
      return current() === refused ? null : newest;
    },
  };
}

/**
 * Targets that are reached by a transport of your own.
 * @param sendTo gives the function that sends to a target
 */
export function runTargets(
  targets: readonly TargetConfig[],
  sendTo: (target: TargetConfig) => SendRequest,
): ReadonlyMap<string, RunTarget> {
  const accounts = accountsOf(targets, null);
  return new Map(targets.map((target) => [target.name, runTarget(target, accounts.get(target.name), sendTo(target))]));
}

function runTarget(config: TargetConfig, account = config.name, send: SendRequest): RunTarget {
  return { config, account, simulator: isSimulator(config), send };
}

const isSimulator = ({ baseUrl }: TargetConfig): boolean => baseUrl === 'simulator';
