import { Socket } from 'node:net';
import { deflateRawSync } from 'node:zlib';
import { expect, it } from 'vitest';
import { type Clock, seededRandom, wallClock } from '../../../../src/clock/index.ts';
import { timeAfter } from '../../../../src/domain/index.ts';
import { NETWORK_LIMITS } from '../../../../src/network/index.ts';
import { OPERATIONS } from '../../../../src/protocol/index.ts';
import {
  createTransport,
  endpointOf,
  type LinkState,
  OperationTexts,
  type StreamSink,
} from '../../../../src/venues/service/transport/index.ts';
import { SILENT } from '../harness.ts';
import { transportTo, until } from '../real-venue.ts';
import { type Line, ScriptedVenue } from './scripted-venue.ts';

const BOOK = 'orderBookUpdated';

/** What a subscriber receives, in words. */
class Ear implements StreamSink<object> {
  readonly words: string[] = [];

  next(data: object | null): void {
    this.words.push(JSON.stringify(data));
  }

  malformed(problem: string): void {
    this.words.push(`malformed: ${problem}`);
  }

  refused(errors: readonly { readonly message: string }[]): void {
    this.words.push(`refused: ${errors[0]?.message}`);
  }

  ended(): void {
    this.words.push('ended');
  }

  lost(): void {
    this.words.push('lost');
  }
}

async function subscribed(settings = {}) {
  const venue = await ScriptedVenue.open();
  const transport = transportTo(venue.url, settings);
  const ear = new Ear();
  let requests = 0;
  const variables = () => {
    requests += 1;
    return { marketId: 'm', afterSeq: String(requests) };
  };
  const links: LinkState[] = [];
  transport.onLink((state) => void links.push(state));
  const handle = transport.subscribe(OPERATIONS.orderBookUpdated, variables, ear, { opens: true, isUnchecked: true });
  await until(() => venue.lines[0]?.ids(BOOK).length === 1);
  const line = (number: number): Line => {
    const found = venue.lines[number];
    if (found === undefined) throw new Error(`no line ${number}`);
    return found;
  };
  const tell = (number: number, word: string): void => {
    line(number).next(line(number).ids(BOOK).at(-1) ?? '', { word });
  };
  return { venue, transport, ear, handle, links, line, tell };
}

it('a frozen socket is replaced: the new one takes over with its first message, and the old one is ignored', async () => {
  const { venue, transport, ear, line, tell, links } = await subscribed();
  tell(0, 'first');
  await until(() => ear.words.length === 1);
  line(0).isFrozen = true;
  tell(0, 'held back');
  transport.renew('silent');
  transport.renew('silent');
  await until(() => venue.lines[1]?.ids(BOOK).length === 1);
  expect(transport.isOpen).toBe(true);
  line(0).thaw();
  await until(() => ear.words.length === 2);
  line(0).isFrozen = true;
  tell(0, 'too late');
  tell(1, 'new');
  await until(() => ear.words.length === 3);
  line(0).thaw();
  await until(() => line(0).web.readyState === line(0).web.CLOSED);
  tell(1, 'newer');
  await until(() => ear.words.length === 4);
  expect(ear.words).toEqual(['{"word":"first"}', '{"word":"held back"}', '{"word":"new"}', '{"word":"newer"}']);
  expect(venue.lines).toHaveLength(2);
  expect(line(1).received[0]?.payload.variables).toEqual({ marketId: 'm', afterSeq: '2' });
  expect(links.map(({ isUp }) => isUp)).toEqual([true, true]);
});

it('a socket that is cut is opened again, and every subscription is repeated', async () => {
  const { venue, ear, line, tell, links } = await subscribed();
  tell(0, 'first');
  await until(() => ear.words.length === 1);
  line(0).web.terminate();
  await until(() => venue.lines[1]?.ids(BOOK).length === 1);
  tell(1, 'second');
  await until(() => ear.words.length === 3);
  expect(ear.words).toEqual(['{"word":"first"}', 'lost', '{"word":"second"}']);
  expect(links.map(({ isUp }) => isUp)).toEqual([true, false, true]);
});

it('an old socket that is cut while the new one takes over loses nothing', async () => {
  const { venue, transport, ear, line, tell } = await subscribed();
  transport.renew('test');
  await until(() => venue.lines[1]?.ids(BOOK).length === 1);
  line(0).web.terminate();
  await until(() => line(0).web.readyState === line(0).web.CLOSED);
  tell(1, 'on');
  await until(() => ear.words.length === 1);
  expect(ear.words).toEqual(['{"word":"on"}']);
  expect(transport.isOpen).toBe(true);
});

it('a new socket that is silent takes over when its time is over', async () => {
  const { venue, transport, ear, tell, line } = await subscribed({ takeoverMs: 100 });
  transport.renew('test');
  await until(() => line(0).web.readyState === line(0).web.CLOSED);
  tell(1, 'slow');
  await until(() => ear.words.length === 1);
  expect(venue.lines).toHaveLength(2);
});

it('a subscription that the read bucket refuses is repeated after the given time', async () => {
  const { ear, line, tell } = await subscribed();
  line(0).say({ id: '1', type: 'error', payload: [{ message: 'rate limited: retry in 5 ms', path: [] }] });
  await until(() => line(0).ids(BOOK).length === 2);
  tell(0, 'now');
  await until(() => ear.words.length === 1);
  expect(ear.words).toEqual(['{"word":"now"}']);
});

it('a subscription that is refused for good, and one that ends, are reported', async () => {
  const { ear, handle, line } = await subscribed();
  line(0).say({ id: '1', type: 'error', payload: [{ message: 'UNAUTHORIZED', path: [BOOK] }] });
  await until(() => ear.words.length === 1);
  handle.again();
  handle.end();
  expect(ear.words).toEqual(['refused: UNAUTHORIZED']);
});

it('messages of an old subscription are ignored after a new one started', async () => {
  const { ear, handle, line } = await subscribed();
  handle.again();
  await until(() => line(0).ids(BOOK).length === 2);
  const [first = '', second = ''] = line(0).ids(BOOK);
  line(0).next(first, { word: 'old' });
  line(0).next(second, { word: 'new' });
  await until(() => ear.words.length === 1);
  expect(ear.words).toEqual(['{"word":"new"}']);
  expect(line(0).received.map(({ type }) => type)).toEqual(['subscribe', 'complete', 'subscribe']);
});

it('more subscriptions than one socket may carry open another socket', async () => {
  const { venue, transport, ear } = await subscribed({ maxSubscriptions: 1 });
  transport.subscribe(OPERATIONS.tradeExecuted, () => ({ marketId: 'm' }), ear);
  await until(() => venue.lines[1]?.ids('tradeExecuted').length === 1);
  expect(venue.lines).toHaveLength(2);
});

it('credentials are sent with the handshake; a new socket has the new ones', async () => {
  const venue = await ScriptedVenue.open();
  const transport = transportTo(venue.url);
  transport.setCredentials('one');
  await transport.open();
  transport.setCredentials('two');
  transport.renew('other rights');
  await until(() => venue.lines[1]?.init !== undefined);
  expect(venue.lines.map(({ init }) => init)).toEqual([
    { Authorization: 'Bearer one' },
    { Authorization: 'Bearer two' },
  ]);
});

it('an answer over the socket is typed: data, errors, lost by timeout, lost with the socket', async () => {
  const venue = await ScriptedVenue.open();
  const transport = transportTo(venue.url);
  await transport.open();
  const [line] = venue.lines;
  const answers: Readonly<Record<string, () => void>> = {
    '1': () => line?.next('1', { cancelAllOrders: { cancelledIds: [], newEpoch: '1', seq: '2' } }),
    '2': () => line?.next('2', { cancelAllOrders: null }, [{ message: 'no', path: ['cancelAllOrders'] }]),
    '3': () => line?.say({ id: '3', type: 'error', payload: [{ message: 'UNAUTHORIZED', path: ['cancelAllOrders'] }] }),
    '5': () => line?.web.terminate(),
  };
  venue.onMessage = (_line, { id }) => answers[id]?.();
  const ask = (timeoutMs = 5_000) => transport.mutate(OPERATIONS.cancelAllOrders, {}, { timeoutMs });
  expect(await ask()).toMatchObject({ type: 'data', data: { cancelAllOrders: { cancelledIds: [] } } });
  expect(await ask()).toMatchObject({ type: 'errors', errors: [{ message: 'no' }] });
  expect(await ask()).toMatchObject({ type: 'errors', errors: [{ message: 'UNAUTHORIZED' }] });
  expect(await ask(20)).toMatchObject({ type: 'lost', sent: true });
  expect(await ask()).toMatchObject({ type: 'lost', sent: true });
});

it('a server that accepts no socket is reported as such', async () => {
  const venue = await ScriptedVenue.open();
  venue.refusesWith = 403;
  const transport = transportTo(venue.url);
  await expect(transport.open()).rejects.toMatchObject({
    code: 'BLOCKED',
    message: expect.stringContaining('HTTP 403'),
  });
});

it('a redirected handshake counts as an outage, and the connection is tried again', async () => {
  const venue = await ScriptedVenue.open();
  venue.refusesWith = 302;
  const transport = transportTo(venue.url);
  await expect(transport.open(50)).rejects.toMatchObject({
    code: 'LINK',
    retryable: true,
    message: expect.stringContaining('a redirect'),
  });
  venue.refusesWith = undefined;
  await transport.open();
  expect(transport.isOpen).toBe(true);
});

it('a venue that is unreachable, or does not acknowledge, is reported within the timeout', async () => {
  const venue = await ScriptedVenue.open();
  venue.isAcknowledging = false;
  await expect(transportTo(venue.url).open(50)).rejects.toMatchObject({ code: 'LINK', retryable: true });
  const { url } = venue;
  venue.close();
  await expect(transportTo(url).open(50)).rejects.toMatchObject({ code: 'LINK' });
});

it('a frame that is no message ends the socket, and the next one works', async () => {
  const { venue, line } = await subscribed();
  line(0).web.send('<html>');
  await until(() => venue.lines[1]?.ids(BOOK).length === 1);
});

it('a venue that acknowledges each socket and then breaks it is connected to with growing pauses, until one lasts', async () => {
  const venue = await ScriptedVenue.open();
  const wall = wallClock();
  const start = wall.now();
  let ahead = 0;
  const pauses: number[] = [];
  const clock: Clock = {
    now: () => timeAfter(start, ahead),
    schedule: (when, fire) => {
      const wait = when - clock.now();
      // All others are limits of opening.
      if (wait < 5_000) pauses.push(wait);
      return wall.schedule(timeAfter(wall.now(), wait), fire);
    },
  };
  let isBroken = true;
  venue.onMessage = ({ web }) => {
    if (isBroken) web.send('<html>');
  };
  const transport = createTransport({
    endpoint: endpointOf({ url: venue.url }),
    operations: new OperationTexts(),
    clock,
    random: seededRandom(1),
    log: SILENT,
  });
  transport.subscribe(OPERATIONS.orderBookUpdated, () => ({ marketId: 'm' }), new Ear(), { opens: true });
  await until(() => pauses.length === 5);
  isBroken = false;
  expect(pauses[0]).toBe(0);
  for (const [at, pause] of pauses.slice(1).entries()) {
    expect(pause).toBeGreaterThanOrEqual(50 * 2 ** at);
    expect(pause).toBeLessThanOrEqual(100 * 2 ** at);
  }
  await until(() => venue.lines[5]?.ids(BOOK).length === 1);
  ahead = 10_000;
  venue.lines[5]?.web.terminate();
  await until(() => venue.lines[6]?.ids(BOOK).length === 1);
  expect(pauses.slice(5)).toEqual([0]);
  await transport.close();
});

it("the venue's pings are answered", async () => {
  const { line } = await subscribed();
  line(0).say({ type: 'ping' });
  await until(() => line(0).received.some(({ type }) => type === 'pong'));
});

it('data that the system does not accept at once arrives complete and in order', async () => {
  const { venue, transport, line } = await subscribed();
  const sizes = [3, 900_000, 40, 1_500_000, 200, 2_000_000, 5, 70_000];
  const texts = sizes.map((size, at) => String.fromCharCode(97 + at).repeat(size));
  for (const [at, text] of texts.entries()) {
    const variables = at % 2 === 0 ? JSON.stringify({ text }) : ['{"text":"', Buffer.from(text), '"}'];
    expect(transport.send(OPERATIONS.placeOrder, variables, () => {})).toBe(true);
  }
  await until(() => line(0).ids('placeOrder').length === texts.length);
  const received = line(0).received.flatMap(({ payload: { variables } }) => variables['text'] ?? []);
  expect(received.map((text) => `${text}`.length)).toEqual(sizes);
  expect(received).toEqual(texts);
  await transport.close();
  expect(venue.lines).toHaveLength(1);
});

/** The frame that a server sends, as bytes. */
function frame(first: number, payload: Buffer): Buffer {
  const head = Buffer.alloc(10);
  head[0] = first;
  head[1] = 127;
  head.writeBigUInt64BE(BigInt(payload.length), 2);
  return Buffer.concat([head, payload]);
}

const [TEXT, CONTINUED, COMPRESSED_TEXT] = [0x81, 0x01, 0xc1];

it.each([
  ['is longer than its bound', [frame(TEXT, Buffer.alloc(NETWORK_LIMITS.messageBytes + 1, 'x'))]],
  [
    'is longer than its bound when its frames are added up',
    [frame(CONTINUED, Buffer.alloc(5_000_000)), frame(0x80, Buffer.alloc(5_000_000))],
  ],
  ['only says that it is', [Buffer.from([TEXT, 127, 0, 0, 1, 0, 0, 0, 0, 0])]],
  ['is cut into a million frames', [Buffer.from([CONTINUED, 0]), Buffer.alloc(2_000_000)]],
  ['is compressed, though that was not agreed on', [frame(COMPRESSED_TEXT, deflateRawSync(Buffer.alloc(1_000_000)))]],
])('a message that %s ends the socket, and the next one works', async (_, pieces) => {
  const { venue, line, links } = await subscribed();
  const { web } = line(0);
  const raw: unknown = Reflect.get(web, '_socket');
  if (!(raw instanceof Socket)) throw new Error('no socket');
  raw.on('error', () => {});
  for (const piece of pieces) raw.write(piece);
  await until(() => venue.lines[1]?.ids(BOOK).length === 1);
  expect(links.map(({ isUp }) => isUp)).toEqual([true, false, true]);
});

it('a venue that does not read ends the socket; requests over it are lost and reported after the call', async () => {
  const { venue, transport, line } = await subscribed();
  line(0).web.pause();
  const text = 'x'.repeat(1_000_000);
  const answers: object[] = [];
  let received = 0;
  for (let count = 0; count < 40 && transport.isOpen; count += 1) {
    transport.send(OPERATIONS.placeOrder, JSON.stringify({ text }), (answer) => void answers.push(answer));
    received = answers.length;
  }
  expect([transport.isOpen, received]).toEqual([false, 0]);
  await until(() => answers.length > 0);
  expect(answers[0]).toMatchObject({ type: 'lost', sent: true, problem: expect.stringContaining('does not read') });
  await until(() => venue.lines[1]?.ids(BOOK).length === 1);
});
