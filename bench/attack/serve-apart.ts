import { fork } from 'node:child_process';
import type { Server } from 'node:net';
import type { AddressInfo } from 'node:net';

/** A server in a process of its own, so that what it costs is not counted as chatspec's. */
export interface ServerApart {
  /** Ends in /v1, like a target's address. */
  readonly baseUrl: string;
  /** What the server has counted so far. */
  readonly stats: () => Promise<unknown>;
  readonly close: () => Promise<void>;
}

/**
 * Starts a file of bench/attack/servers, which calls `serveHere`.
 * @param args what the server finds in `process.argv` after its own name
 */
export async function serveApart(name: string, args: readonly string[] = []): Promise<ServerApart> {
  const child = fork(new URL(`./servers/${name}.js`, import.meta.url), [...args]);
  const next = (): Promise<unknown> =>
    new Promise((resolve, reject) => {
      const ended = (code: number | null): void => reject(new Error(`the server ended with ${code}`));
      child.once('exit', ended);
      child.once('message', (message) => {
        child.off('exit', ended);
        resolve(message);
      });
    });
  const { port } = (await next()) as { readonly port: number };
  return {
    baseUrl: `http://127.0.0.1:${port}/v1`,
    stats: () => {
      child.send('stats');
      return next();
    },
    close: async () => {
      const ended = new Promise((resolve) => child.once('exit', resolve));
      child.kill('SIGKILL');
      await ended;
    },
  };
}

/** In the server's process: listens on loopback, tells the port, and answers for its counts until it is killed. */
export function serveHere(server: Server, stats: () => unknown = () => null): void {
  process.on('message', () => process.send?.(stats()));
  process.on('disconnect', () => process.exit(0));
  server.listen(0, '127.0.0.1', () => process.send?.({ port: (server.address() as AddressInfo).port }));
}
