/** One kind of failure to connect, and what to do about it. */
interface Remedy {
  readonly sign: RegExp;
  readonly advice: (address: URL, sign: RegExpExecArray) => string;
}

/** The failure names a port or a host other than that of the service: the proxy's. */
const ofProxy = 'That is the proxy: check HTTPS_PROXY, or reach the service directly with NO_PROXY.';

/** In order: the first sign that the failure shows decides. */
const remedies: readonly Remedy[] = [
  {
    sign: /\b(?:DEPTH_ZERO_)?SELF_SIGNED_CERT|UNABLE_TO_VERIFY_LEAF_SIGNATURE|UNABLE_TO_GET_ISSUER_CERT/,
    advice: ({ host }) =>
      `The certificate for ${host} comes from an authority that Node.js does not know, as those of companies and of their proxies do. Save the certificate of that authority as a PEM file, and set NODE_EXTRA_CA_CERTS=FILE in the environment (not in .env, which is read too late).`,
  },
  {
    sign: /CERT_HAS_EXPIRED|CERT_NOT_YET_VALID/,
    advice: ({ host }) =>
      `The certificate for ${host} is out of date by the clock of this machine: check the clock, then ask whoever runs the service to renew it.`,
  },
  {
    sign: /ERR_TLS_CERT_ALTNAME_INVALID|HOSTNAME_MISMATCH/,
    advice: ({ hostname }) =>
      `The certificate was made for another name than ${hostname}: write base_url with the name that it was made for.`,
  },
  {
    sign: /WRONG_VERSION_NUMBER|PACKET_LENGTH_TOO_LONG|HTTP_REQUEST|UNKNOWN_PROTOCOL/,
    advice: ({ host, protocol }) =>
      protocol === 'https:'
        ? `What answers there does not speak TLS: write base_url with http:// if ${host} is right, and HTTPS_PROXY with http:// if there is a proxy.`
        : '',
  },
  {
    sign: /HTTP request (?:was )?(?:sent )?to (?:an )?HTTPS|requires? (?:the use of )?TLS|speaking plain HTTP to an SSL/i,
    advice: ({ host }) => `The port speaks TLS: write base_url with https://${host}.`,
  },
  {
    sign: /the proxy answered with HTTP (\d+)/,
    advice: ({ hostname }, [, status]) =>
      status === '407'
        ? 'The proxy asks who you are: write HTTPS_PROXY=http://USER:PASSWORD@HOST:PORT, with both URL-encoded.'
        : Number(status) >= 500
          ? `The proxy (HTTPS_PROXY) could not reach ${hostname}: check base_url, or name ${hostname} in NO_PROXY if it can be reached directly.`
          : `Ask whoever runs the proxy (HTTPS_PROXY) to let ${hostname} through, or name ${hostname} in NO_PROXY if it can be reached directly.`,
  },
  {
    sign: /\b(?:ENOTFOUND|EAI_AGAIN|EAI_FAIL|EAI_NODATA)\b(?: (\S+?)(?=[\s)]|$))?/,
    advice: ({ hostname }, [, name]) =>
      name !== undefined && name !== hostname
        ? ofProxy
        : `Check the host name in base_url, and whether ${hostname} is reached only through a proxy (HTTPS_PROXY) or a VPN.`,
  },
  {
    sign: /\bECONNREFUSED\b(?: \S*:(\d+))?/,
    advice: (address, [, port]) =>
      port !== undefined && port !== portOf(address)
        ? ofProxy
        : `Nothing takes connections at ${address.host}: check host and port of base_url, and whether the service runs.`,
  },
  {
    sign: /closed the connection before an answer began|the answer is not HTTP/,
    advice: ({ host, protocol }) =>
      protocol === 'http:' ? `If the port speaks TLS, write base_url with https://${host}.` : '',
  },
];

/**
 * What to do about a request that got no answer.
 * @param detail what the transport said
 * @param baseUrl the address of the service
 */
export function connectionAdvice(detail: string, baseUrl: string): string {
  const address = URL.canParse(baseUrl) ? new URL(baseUrl) : null;
  for (const { sign, advice } of address === null ? [] : remedies) {
    const found = sign.exec(detail);
    const said = found === null || address === null ? '' : advice(address, found);
    if (said !== '') return said;
  }
  return 'Check base_url, the network and the proxy (HTTPS_PROXY, NO_PROXY).';
}

/** Whether an answer says that the connection itself was of the wrong kind. */
export function speaksOfTls(detail: string): boolean {
  return /HTTP request (?:was )?(?:sent )?to (?:an )?HTTPS|speaking plain HTTP to an SSL/i.test(detail);
}

function portOf({ port, protocol }: URL): string {
  return port === '' ? (protocol === 'https:' ? '443' : '80') : port;
}
