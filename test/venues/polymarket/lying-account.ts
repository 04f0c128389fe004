/** Stands between the adapter and the embedded venue, and answers instead of it what a test says. */
import { createServer, type ServerResponse } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { afterThisTest } from '../../cleanup.ts';

export type Lie = (response: ServerResponse) => void;

export interface LyingAccount {
  readonly url: string;
  /** By path below the dialect's base. */
  readonly lies: Map<string, Lie>;
  /** Method and path of what was asked. */
  readonly asked: string[];
}

/** @param base of the dialect. Closed after the test */
export async function lyingAccount(base: string): Promise<LyingAccount> {
  const lies = new Map<string, Lie>();
  const asked: string[] = [];
  const { host, port, pathname } = new URL(base);
  const server = createServer(async (request, response) => {
    const parts: Buffer[] = [];
    for await (const part of request) parts.push(part);
    const path = request.url ?? '/';
    asked.push(`${request.method} ${path}`);
    const lie = lies.get(path.split('?')[0] ?? '');
    response.on('error', () => undefined);
    if (lie !== undefined) return lie(response);
    const headers = Object.entries(request.headers).filter(([name]) => /^(poly_|content-type)/.test(name));
    const answer = await fetch(`${base}${path}`, {
      method: request.method ?? 'GET',
      headers: headers.map(([name, value]) => [name, String(value)]),
      ...(parts.length === 0 ? {} : { body: Buffer.concat(parts) }),
    });
    response.writeHead(answer.status, { 'content-type': 'application/json' }).end(await answer.text());
  });
  server.on('upgrade', (request, socket) => {
    const line = connect(Number(port), '127.0.0.1', () => {
      const headers = Object.entries({ ...request.headers, host }).map(([name, value]) => `${name}: ${String(value)}`);
      line.write([`GET ${pathname}${request.url} HTTP/1.1`, ...headers, '', ''].join('\r\n'));
      line.pipe(socket).pipe(line);
    });
    for (const [one, other] of [
      [line, socket],
      [socket, line],
    ] as const)
      one.on('error', () => other.destroy()).on('close', () => other.destroy());
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  afterThisTest.add(() => {
    server.closeAllConnections();
    return new Promise((resolve) => server.close(resolve));
  });
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, lies, asked };
}

export function says(text: string): Lie {
  return (response) => void response.end(text);
}

export const endless: Lie = (response) => {
  const more = (): void => {
    while (!response.destroyed && response.write('[1,'.repeat(50_000)));
    if (!response.destroyed) response.once('drain', more);
  };
  more();
};
