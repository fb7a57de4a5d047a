import { spawn, spawnSync, type ChildProcess } from 'node:child_process';
import { createServer, type AddressInfo } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';

/** Programs of others that tests start, and end with {@link stopPrograms}. */
const children: ChildProcess[] = [];

export const hasPython = spawnSync('python3', ['-m', 'venv', '--help']).status === 0;

export function stopPrograms(): void {
  for (const child of children) child.kill('SIGTERM');
}

export function startProgram(program: string, args: readonly string[], env: Readonly<Record<string, string>>): void {
  children.push(spawn(program, args, { env: { ...process.env, ...env }, stdio: 'ignore' }));
}

export function runToEnd(program: string, args: readonly string[]): void {
  const { status, stderr } = spawnSync(program, args, { encoding: 'utf8' });
  if (status !== 0) throw new Error(`${program} ${args.join(' ')}: ${stderr}`);
}

/** Waits until it answers, and resolves to its base URL. */
export async function answering(origin: string, path: string): Promise<string> {
  for (let tries = 0; tries < 300; tries += 1) {
    const isUp = await fetch(`${origin}${path}`).then(
      () => true,
      () => false,
    );
    if (isUp) return `${origin}/v1`;
    await wait(300);
  }
  throw new Error(`nothing answers at ${origin}`);
}

export function freePort(): Promise<number> {
  const server = createServer();
  return new Promise((resolve) => {
    server.listen(0, '127.0.0.1', () => {
      const { port } = server.address() as AddressInfo;
      server.close(() => resolve(port));
    });
  });
}
