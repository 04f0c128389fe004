/** A proxy between the adapter and the embedded venue, with scripted responses. */
import { createServer, type ServerResponse } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { afterThisTest } from '../../cleanup.ts';

export type ScriptedResponse = (response: ServerResponse) => void;

export interface ScriptedAccount {
  readonly url: string;
  /** Scripted responses by path below the base URL. */
  readonly responses: Map<string, ScriptedResponse>;
  /** Method and path of each request. */
  readonly requests: string[];
}

/** Opens a proxy that closes after the test. @param base URL of the venue's Polymarket API */
export async function openScriptedAccount(base: string): Promise<ScriptedAccount> {
  const responses = new Map<string, ScriptedResponse>();
  const requests: string[] = [];
  const { host, port, pathname } = new URL(base);
  const server = createServer(async (request, response) => {
    const parts: Buffer[] = [];
    for await (const part of request) parts.push(part);
    const path = request.url ?? '/';
    requests.push(`${request.method} ${path}`);
    const scripted = responses.get(path.split('?')[0] ?? '');
    response.on('error', () => undefined);
    if (scripted !== undefined) return scripted(response);
    const headers = Object.entries(request.headers).filter(([name]) => /^(poly_|content-type)/.test(name));
    const answer = await fetch(`${base}${path}`, {
      method: request.method ?? 'GET',
      headers: headers.map(([name, value]) => [name, String(value)]),
      ...(parts.length === 0 ? {} : { body: Buffer.concat(parts) }),
    });
    response.writeHead(answer.status, { 'content-type': 'application/json' }).end(await answer.text());
  });
  server.on('upgrade', (request, socket) => {
    const upstream = connect(Number(port), '127.0.0.1', () => {
      const headers = Object.entries({ ...request.headers, host }).map(([name, value]) => `${name}: ${String(value)}`);
      upstream.write([`GET ${pathname}${request.url} HTTP/1.1`, ...headers, '', ''].join('\r\n'));
      upstream.pipe(socket).pipe(upstream);
    });
    for (const [source, target] of [
      [upstream, socket],
      [socket, upstream],
    ] as const)
      source.on('error', () => target.destroy()).on('close', () => target.destroy());
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  afterThisTest.add(() => {
    server.closeAllConnections();
    return new Promise((resolve) => server.close(resolve));
  });
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, responses, requests };
}

export function respondsWith(text: string): ScriptedResponse {
  return (response) => void response.end(text);
}

export const endless: ScriptedResponse = (response) => {
  const more = (): void => {
    while (!response.destroyed && response.write('[1,'.repeat(50_000)));
    if (!response.destroyed) response.once('drain', more);
  };
  more();
};
