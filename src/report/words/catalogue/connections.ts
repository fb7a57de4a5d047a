import { text } from '../message.js';

/** Things to check where no answer arrives, or one of something else. */
const connections = {
  unknownAuthority: text<{ host: string }>(
    'The certificate for {host} comes from an authority that Node.js does not know, such as that of a proxy. ' +
      'Save its certificate as a PEM file, and set NODE_EXTRA_CA_CERTS=FILE in the environment, not in .env.',
  ),
  outOfDate: text<{ host: string }>(
    'The certificate for {host} is out of date by the clock of this machine. ' +
      'Check the clock, then ask whoever runs the service to renew it.',
  ),
  otherName: text<{ hostname: string }>(
    'The certificate was made for a name other than {hostname}: write that name in base_url.',
  ),
  noTls: text<{ host: string }>(
    'What answers there does not speak TLS: write base_url with http:// if {host} is right, ' +
      'and HTTPS_PROXY with http:// if there is a proxy.',
  ),
  tls: text<{ host: string }>('The port speaks TLS: write base_url with https://{host}.'),
  perhapsTls: text<{ host: string }>('If the port speaks TLS, write base_url with https://{host}.'),
  proxy: text('That is the proxy: check HTTPS_PROXY, or reach the service directly with NO_PROXY.'),
  proxyLogin: text(
    'The proxy asks who you are: write HTTPS_PROXY=http://USER:PASSWORD@HOST:PORT, with both URL-encoded.',
  ),
  proxyFails: text<{ hostname: string }>(
    'The proxy (HTTPS_PROXY) could not reach {hostname}: check base_url, ' +
      'or name {hostname} in NO_PROXY if it can be reached directly.',
  ),
  proxyRefuses: text<{ hostname: string }>(
    'Ask whoever runs the proxy (HTTPS_PROXY) to let {hostname} through, ' +
      'or name {hostname} in NO_PROXY if it can be reached directly.',
  ),
  unknownHost: text<{ hostname: string }>(
    'Check the host name in base_url, and whether {hostname} is reached only through a proxy (HTTPS_PROXY) or a VPN.',
  ),
  refused: text<{ host: string }>(
    'Nothing is listening at {host}. Check host and port in base_url, and that the service is running.',
  ),
  other: text('Check base_url, the network and the proxy (HTTPS_PROXY, NO_PROXY).'),
  noPath: text<{ url: string; origin: string }>(
    'base_url has no path, and {url} is answered with 404: ' +
      'write base_url: {origin}/v1, or the path that the service documents.',
  ),
  wrongPath: text<{ url: string }>(
    'Check base_url: {url} is answered with 404. ' +
      'It is what stands before /chat/completions; the documentation of the service names it.',
  ),
  redirect: text(
    'Write the address that the answer names as base_url: chatspec does not follow redirects with the key.',
  ),
  unknownModel: text('Check the id; chatspec doctor names similar ids of the service.'),
  unreadable: text(
    'The service was reached, but no client can read such an answer: ' +
      'ask whoever runs it, or a gateway in front of it.',
  ),
  replaced: text(
    'This is not an answer from a Chat Completions service, although the model has answered before. ' +
      'Check whether a proxy or a login page answers in its place, and whether base_url was changed.',
  ),
  otherService: text(
    'This is not an answer from a Chat Completions service: check base_url, which often ends in /v1. ' +
      'A proxy or a login page may answer in its place.',
  ),
  gateway: text('Ask those who run the gateway in front of the service; check base_url and the proxy.'),
};

export const connectionsTexts = { connections };
