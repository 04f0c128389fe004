import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterThisFile } from '../cleanup.ts';
import { setSecret } from './trading.ts';

/** Receives alerts until the end of the test file. @returns the bodies of the requests, which grow @param secret variable of its URL */
export async function openWebhook(secret: string): Promise<string[]> {
  const bodies: string[] = [];
  const server = createServer((request, response) => {
    let body = '';
    request.setEncoding('utf8').on('data', (chunk: string) => {
      body += chunk;
    });
    request.on('end', () => {
      bodies.push(body);
      response.end();
    });
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  afterThisFile.add(() => {
    server.close();
    server.closeAllConnections();
  });
  const { port } = server.address() as AddressInfo;
  setSecret(secret, `http://127.0.0.1:${port}/secret`);
  return bodies;
}
