import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterThisFile } from '../cleanup.ts';
import { setSecret } from './trading.ts';

/** Receives alerts. @returns the received bodies, a list that grows @param secret environment variable for the URL */
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
