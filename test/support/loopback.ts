import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { createServer as createTcpServer, type AddressInfo, type Server, type Socket } from 'node:net';

/** A test's own server on the loopback interface. */
export interface Loopback {
  /** Ends in /v1, like a target's address. */
  readonly baseUrl: string;
  readonly port: number;
  close(): Promise<void>;
}

/** Serves HTTP; the handler gets each request with its body. */
export function serveHttp(
  handler: (request: IncomingMessage, response: ServerResponse, body: string) => void,
): Promise<Loopback> {
  const server = createServer((request, response) => {
    let body = '';
    request.setEncoding('utf8');
    request.on('data', (text: string) => (body += text));
    request.on('end', () => handler(request, response, body));
  });
  return listening(server);
}

/** Serves raw bytes: the handler gets each socket once the first bytes of a request have arrived. */
export function serveRaw(handler: (socket: Socket) => void): Promise<Loopback> {
  return listening(
    createTcpServer((socket) => {
      socket.on('error', () => {});
      socket.once('data', () => handler(socket));
    }),
  );
}

export function listening(server: Server, scheme = 'http'): Promise<Loopback> {
  const sockets = new Set<Socket>();
  server.on('connection', (socket: Socket) => {
    sockets.add(socket);
    socket.on('close', () => sockets.delete(socket));
  });
  return new Promise((resolve) => {
    server.listen(0, '127.0.0.1', () => {
      const { port } = server.address() as AddressInfo;
      resolve({
        baseUrl: `${scheme}://127.0.0.1:${port}/v1`,
        port,
        close: () =>
          new Promise((closed) => {
            for (const socket of sockets) socket.destroy();
            server.close(() => closed());
          }),
      });
    });
  });
}
