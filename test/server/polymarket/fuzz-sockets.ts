/** Frames that mean harm on the two channels, drawn, and connections that end in the middle of something. */
import { once } from 'node:events';
import { connect } from 'node:net';
import { WebSocket } from 'ws';
import type { Random } from '../../../src/clock/index.ts';
import { ROUTES } from './fuzz-rest.ts';
import { mutated, pick, spliced, text } from './fuzz-values.ts';
import type { Client, PolymarketHarness } from './harness.ts';

/** @returns how the connection ended */
export async function attackSocket(dice: Random, harness: PolymarketHarness, client: Client): Promise<string> {
  const channel = dice.int(2) === 0 ? 'market' : 'user';
  if (dice.int(8) === 0) return await halfBody(dice, harness);
  if (dice.int(4) === 0) return await halfFrame(dice, harness, channel);
  const socket = new WebSocket(`${harness.url.replace('http', 'ws')}/ws/${channel}`);
  const closed = new Promise<string>((resolve) => socket.once('close', (code) => resolve(String(code))));
  socket.on('error', () => undefined);
  await once(socket, 'open');
  for (let sent = 1 + dice.int(4); sent > 0 && socket.readyState === socket.OPEN; sent -= 1)
    socket.send(messageOf(dice, harness, channel, client));
  // The answer to a ping follows the answers to all before it.
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

function messageOf(dice: Random, harness: PolymarketHarness, channel: string, { creds }: Client): string | Buffer {
  const good =
    channel === 'market'
      ? { type: 'market', assets_ids: [harness.yes, harness.no], custom_feature_enabled: true }
      : {
          type: 'user',
          markets: [harness.condition],
          auth: { apiKey: creds.key, secret: creds.secret, passphrase: creds.passphrase },
        };
  switch (dice.int(9)) {
    case 0:
      return 'PING';
    case 1:
      return spliced(JSON.stringify(good), dice);
    case 2:
      return Buffer.from(text(dice));
    case 3:
      return '['.repeat(60_000);
    case 4:
      return 'x'.repeat(200_000);
    case 5:
      return JSON.stringify({ ...good, assets_ids: Array.from({ length: 1_500 }, (_, at) => String(at)) });
    case 6:
      return JSON.stringify(mutated(good, dice)) ?? '';
    default:
      return JSON.stringify(good);
  }
}

/** Announces more than it sends, and ends the connection. */
async function halfBody(dice: Random, { url }: PolymarketHarness): Promise<string> {
  const { hostname, port } = new URL(url);
  const socket = connect(Number(port), hostname);
  socket.on('error', () => undefined);
  await once(socket, 'connect');
  const [method, path] = pick(dice, ROUTES).split(' ');
  const head = `${method} /polymarket${path} HTTP/1.1\r\nHost: x\r\nContent-Length: 100000\r\n\r\n{"order":`;
  await new Promise<void>((resolve) => socket.write(head, () => resolve()));
  socket.destroy();
  return 'half body';
}

/** Upgrades by hand, sends bytes that are no whole frame, and ends the connection. */
async function halfFrame(dice: Random, { url }: PolymarketHarness, channel: string): Promise<string> {
  const { hostname, port } = new URL(url);
  const socket = connect(Number(port), hostname);
  socket.on('error', () => undefined);
  await once(socket, 'connect');
  const key = dice.int(5) === 0 ? 'no key' : 'AAAAAAAAAAAAAAAAAAAAAA==';
  socket.write(
    `GET /polymarket/ws/${channel} HTTP/1.1\r\nHost: x\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: ${key}\r\n\r\n`,
  );
  await once(socket, 'data');
  const bytes = Uint8Array.from({ length: 1 + dice.int(40) }, () => dice.int(256));
  // A text frame that announces 2^40 bytes, or noise.
  socket.write(dice.int(3) === 0 ? Buffer.from([0x81, 0xff, 0, 0, 1, 0, 0, 0, 0, 0, 1, 2, 3, 4]) : bytes);
  socket.destroy();
  return 'half frame';
}
