/** Random malicious frames on the two channels, and connections that end inside a request or frame. */
import { once } from 'node:events';
import { connect } from 'node:net';
import { WebSocket } from 'ws';
import type { Random } from '../../../src/clock/index.ts';
import { ROUTES } from './fuzz-rest.ts';
import { mutate, pick, randomText, splice } from './fuzz-values.ts';
import type { Client, PolymarketHarness } from './harness.ts';

/** Sends random messages. @returns the close code, or how the connection ended */
export async function attackSocket(random: Random, harness: PolymarketHarness, client: Client): Promise<string> {
  const channel = random.int(2) === 0 ? 'market' : 'user';
  if (random.int(8) === 0) return await halfBody(random, harness);
  if (random.int(4) === 0) return await halfFrame(random, harness, channel);
  const socket = new WebSocket(`${harness.url.replace('http', 'ws')}/ws/${channel}`);
  const closed = new Promise<string>((resolve) => socket.once('close', (code) => resolve(String(code))));
  socket.on('error', () => undefined);
  await once(socket, 'open');
  for (let sent = 1 + random.int(4); sent > 0 && socket.readyState === socket.OPEN; sent -= 1)
    socket.send(messageOf(random, harness, channel, client));
  // The pong follows the responses to all earlier messages.
  const ponged = once(socket, 'pong').then(
    () => 'open',
    () => 'open',
  );
  if (socket.readyState === socket.OPEN) socket.ping();
  const end = await Promise.race([closed, ponged]);
  socket.terminate();
  await closed;
  return end;
}

function messageOf(random: Random, harness: PolymarketHarness, channel: string, { creds }: Client): string | Buffer {
  const valid =
    channel === 'market'
      ? { type: 'market', assets_ids: [harness.yes, harness.no], custom_feature_enabled: true }
      : {
          type: 'user',
          markets: [harness.condition],
          auth: { apiKey: creds.key, secret: creds.secret, passphrase: creds.passphrase },
        };
  switch (random.int(9)) {
    case 0:
      return 'PING';
    case 1:
      return splice(JSON.stringify(valid), random);
    case 2:
      return Buffer.from(randomText(random));
    case 3:
      return '['.repeat(60_000);
    case 4:
      return 'x'.repeat(200_000);
    case 5:
      return JSON.stringify({ ...valid, assets_ids: Array.from({ length: 1_500 }, (_, at) => String(at)) });
    case 6:
      return JSON.stringify(mutate(valid, random)) ?? '';
    default:
      return JSON.stringify(valid);
  }
}

/** Sends only a part of a body and closes the connection. */
async function halfBody(random: Random, { url }: PolymarketHarness): Promise<string> {
  const { hostname, port } = new URL(url);
  const socket = connect(Number(port), hostname);
  socket.on('error', () => undefined);
  await once(socket, 'connect');
  const [method, path] = pick(random, ROUTES).split(' ');
  const head = `${method} /polymarket${path} HTTP/1.1\r\nHost: x\r\nContent-Length: 100000\r\n\r\n{"order":`;
  await new Promise<void>((resolve) => socket.write(head, () => resolve()));
  socket.destroy();
  return 'half body';
}

/** Upgrades, sends an incomplete frame and closes the connection. */
async function halfFrame(random: Random, { url }: PolymarketHarness, channel: string): Promise<string> {
  const { hostname, port } = new URL(url);
  const socket = connect(Number(port), hostname);
  socket.on('error', () => undefined);
  await once(socket, 'connect');
  const key = random.int(5) === 0 ? 'no key' : 'AAAAAAAAAAAAAAAAAAAAAA==';
  socket.write(
    `GET /polymarket/ws/${channel} HTTP/1.1\r\nHost: x\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: ${key}\r\n\r\n`,
  );
  await once(socket, 'data');
  const bytes = Uint8Array.from({ length: 1 + random.int(40) }, () => random.int(256));
  // A text frame with a declared length of 2^40 bytes, or random bytes.
  socket.write(random.int(3) === 0 ? Buffer.from([0x81, 0xff, 0, 0, 1, 0, 0, 0, 0, 0, 1, 2, 3, 4]) : bytes);
  socket.destroy();
  return 'half frame';
}
