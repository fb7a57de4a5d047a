// A chat service that answers after 100 ms, in a process of its own, on a day that its argument names. Prints its port.
//   node bench/pace/service.mjs calm|noise|dead|throttled|refusing
import { createServer } from 'node:http';

const [, , day = 'calm'] = process.argv;
const delay = 100;

let state = 7;
/** The same sequence on each day. */
const random = () => (state = (state * 48_271) % 2_147_483_647) / 2_147_483_647;

const error = (status, message) => ({ status, body: { error: { message } } });
const overloaded = error(503, 'The model is busy.');
const rateLimited = error(429, 'Too many requests.');

/** A bucket of four requests that refills at four a second. */
const bucket = { left: 4, at: performance.now() };
function isThrottled() {
  const now = performance.now();
  bucket.left = Math.min(4, bucket.left + (now - bucket.at) / 250);
  bucket.at = now;
  if (bucket.left < 1) return true;
  bucket.left -= 1;
  return false;
}

let firstAt = null;
const days = {
  calm: () => null,
  noise() {
    const luck = random();
    if (luck < 0.02) return rateLimited;
    if (luck < 0.03) return overloaded;
    return luck < 0.035 ? 'cut' : null;
  },
  dead: (model) => (model === 'm7' ? overloaded : null),
  throttled: () => (isThrottled() ? rateLimited : null),
  refusing() {
    firstAt ??= performance.now();
    return performance.now() - firstAt < 60_000 && random() < 0.2 ? rateLimited : null;
  },
};

const server = createServer((request, response) => {
  let text = '';
  request.setEncoding('utf8').on('data', (part) => (text += part));
  request.on('end', () => {
    const { model } = JSON.parse(text);
    const trouble = days[day](model);
    if (trouble === 'cut') {
      setTimeout(() => request.socket.destroy(), delay / 2);
      return;
    }
    const message = { role: 'assistant', content: 'Hello there.' };
    const usage = { prompt_tokens: 10, completion_tokens: 5, total_tokens: 15 };
    const choices = [{ index: 0, finish_reason: 'stop', message }];
    const completion = { id: 'c-1', object: 'chat.completion', created: 1, model, choices, usage };
    const { status, body } = trouble ?? { status: 200, body: completion };
    setTimeout(
      () => response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body)),
      trouble === null ? delay : 2,
    );
  });
});
server.listen(0, '127.0.0.1', () => console.log(server.address().port));
