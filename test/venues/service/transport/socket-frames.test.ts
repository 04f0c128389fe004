import { Socket } from 'node:net';
import { deflateRawSync } from 'node:zlib';
import { expect, it } from 'vitest';
import { NETWORK_LIMITS } from '../../../../src/network/index.ts';
import { OPERATIONS } from '../../../../src/protocol/index.ts';
import { until } from '../real-venue.ts';
import { BOOK, subscribed } from './subscribed.ts';

it('an invalid frame ends the socket, and the next socket works', async () => {
  const { venue, connection } = await subscribed();
  connection(0).socket.send('<html>');
  await until(() => venue.connections[1]?.subscriptionIds(BOOK).length === 1);
});

it("the venue's pings are answered", async () => {
  const { connection } = await subscribed();
  connection(0).send({ type: 'ping' });
  await until(() => connection(0).received.some(({ type }) => type === 'pong'));
});

it('data that exceeds the socket buffer arrives complete and in order', async () => {
  const { venue, transport, connection } = await subscribed();
  const sizes = [3, 900_000, 40, 1_500_000, 200, 2_000_000, 5, 70_000];
  const texts = sizes.map((size, at) => String.fromCharCode(97 + at).repeat(size));
  for (const [at, text] of texts.entries()) {
    const variables = at % 2 === 0 ? JSON.stringify({ text }) : ['{"text":"', Buffer.from(text), '"}'];
    expect(transport.send(OPERATIONS.placeOrder, variables, () => {})).toBe(true);
  }
  await until(() => connection(0).subscriptionIds('placeOrder').length === texts.length);
  const received = connection(0).received.flatMap(({ payload: { variables } }) => variables['text'] ?? []);
  expect(received.map((text) => `${text}`.length)).toEqual(sizes);
  expect(received).toEqual(texts);
  await transport.close();
  expect(venue.connections).toHaveLength(1);
});

/** Encodes the frame of a server. */
function frame(first: number, payload: Buffer): Buffer {
  const head = Buffer.alloc(10);
  head[0] = first;
  head[1] = 127;
  head.writeBigUInt64BE(BigInt(payload.length), 2);
  return Buffer.concat([head, payload]);
}

const [TEXT, CONTINUED, COMPRESSED_TEXT] = [0x81, 0x01, 0xc1];

it.each([
  ['exceeds the size limit', [frame(TEXT, Buffer.alloc(NETWORK_LIMITS.messageBytes + 1, 'x'))]],
  [
    'exceeds the size limit with the sum of its frames',
    [frame(CONTINUED, Buffer.alloc(5_000_000)), frame(0x80, Buffer.alloc(5_000_000))],
  ],
  ['announces a length above the size limit', [Buffer.from([TEXT, 127, 0, 0, 1, 0, 0, 0, 0, 0])]],
  ['is cut into a million frames', [Buffer.from([CONTINUED, 0]), Buffer.alloc(2_000_000)]],
  ['is compressed without negotiation', [frame(COMPRESSED_TEXT, deflateRawSync(Buffer.alloc(1_000_000)))]],
])('a message that %s ends the socket, and the next socket works', async (_, pieces) => {
  const { venue, connection, links } = await subscribed();
  const { socket } = connection(0);
  const raw: unknown = Reflect.get(socket, '_socket');
  if (!(raw instanceof Socket)) throw new Error('no socket');
  raw.on('error', () => {});
  for (const piece of pieces) raw.write(piece);
  await until(() => venue.connections[1]?.subscriptionIds(BOOK).length === 1);
  expect(links.map(({ isUp }) => isUp)).toEqual([true, false, true]);
});
