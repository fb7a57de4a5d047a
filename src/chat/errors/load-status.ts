/**
 * Whether a status says that the service, or a machine in front of it, has too much to do: 429 (RFC 6585), 503 (RFC
 * 9110; gateways throttle with it) and 529 (an overloaded site). The body is often an error page that says nothing.
 */
export function isLoadStatus(status: number | null): boolean {
  return status === 429 || status === 503 || status === 529;
}
