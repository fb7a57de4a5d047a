import { expect, onTestFinished, test } from 'vitest';
import { aTarget } from '../../test/support/build.js';
import { serveHttp } from '../../test/support/loopback.js';
import { openTransport } from './open-transport.js';

const chunk = Buffer.alloc(2 ** 20, ' ');

/** A server whose answers are 200 MB each, and how many MB it has sent. */
async function hugeService(contentType: string): Promise<{ baseUrl: string; sentMb: () => number }> {
  let sent = 0;
  const server = await serveHttp((_request, response) => {
    response.writeHead(200, { 'content-type': contentType });
    let left = 200;
    const more = (): void => {
      while (left > 0 && !response.destroyed) {
        left -= 1;
        sent += 1;
        if (!response.write(chunk)) return;
      }
      response.end();
    };
    response.on('drain', more);
    more();
  });
  onTestFinished(() => server.close());
  return { baseUrl: server.baseUrl, sentMb: () => sent };
}

test.each(['application/json', 'text/event-stream'])('200 MB of %s are cut off at the cap', async (contentType) => {
  const { baseUrl, sentMb } = await hugeService(contentType);
  const transport = openTransport(
    aTarget('t', { baseUrl, limits: { timeoutSeconds: 600 } }),
    { headers: {}, secrets: [] },
    {},
  );
  onTestFinished(() => transport.close());
  const ask = async (): Promise<void> => {
    const { answer } = await transport.send({ model: 'm', messages: [] });
    expect(answer.failure).toMatchObject({ kind: 'too_large' });
    expect(answer.body.join('').length).toBeLessThanOrEqual(64 * 1024);
  };
  await ask();
  expect(sentMb()).toBeLessThan(60);
});
