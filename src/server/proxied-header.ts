import type { IncomingMessage } from 'node:http';
import { proxyTest } from './http/client-address.ts';

/**
 * Takes a header away that nobody but a trusted proxy may set, such as the country of the caller: what is left of it later
 * can be believed.
 * @throws InputFault for a proxy that is no address or range
 */
export function onlyFromProxies(header: string, trusted: readonly string[]): (request: IncomingMessage) => void {
  const isFromProxy = proxyTest(trusted);
  return (request) => {
    if (!isFromProxy(request)) delete request.headers[header];
  };
}
