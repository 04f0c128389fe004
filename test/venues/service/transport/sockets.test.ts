import { expect, it } from 'vitest';
import { type Clock, seededRandom, wallClock } from '../../../../src/clock/index.ts';
import { timeAfter } from '../../../../src/domain/index.ts';
import { OPERATIONS } from '../../../../src/protocol/index.ts';
import { createTransport, OperationTexts, parseEndpoint } from '../../../../src/venues/service/transport/index.ts';
import { SILENT } from '../harness.ts';
import { transportTo, until } from '../real-venue.ts';
import { ScriptedVenue } from './scripted-venue.ts';
import { BOOK, RecordingSink, subscribed } from './subscribed.ts';

it('a frozen socket is replaced by a new one, which takes over at its first message, and the old one is ignored', async () => {
  const { venue, transport, sink, connection, sendWord, links } = await subscribed();
  sendWord(0, 'first');
  await until(() => sink.calls.length === 1);
  connection(0).isFrozen = true;
  sendWord(0, 'held back');
  transport.renew('silent');
  transport.renew('silent');
  await until(() => venue.connections[1]?.subscriptionIds(BOOK).length === 1);
  expect(transport.isOpen).toBe(true);
  connection(0).thaw();
  await until(() => sink.calls.length === 2);
  connection(0).isFrozen = true;
  sendWord(0, 'too late');
  sendWord(1, 'new');
  await until(() => sink.calls.length === 3);
  connection(0).thaw();
  await until(() => connection(0).socket.readyState === connection(0).socket.CLOSED);
  sendWord(1, 'newer');
  await until(() => sink.calls.length === 4);
  expect(sink.calls).toEqual(['{"word":"first"}', '{"word":"held back"}', '{"word":"new"}', '{"word":"newer"}']);
  expect(venue.connections).toHaveLength(2);
  expect(connection(1).received[0]?.payload.variables).toEqual({ marketId: 'm', afterSeq: '2' });
  expect(links.map(({ isUp }) => isUp)).toEqual([true, true]);
});

it('a cut socket is opened again, and every subscription is repeated', async () => {
  const { venue, sink, connection, sendWord, links } = await subscribed();
  sendWord(0, 'first');
  await until(() => sink.calls.length === 1);
  connection(0).socket.terminate();
  await until(() => venue.connections[1]?.subscriptionIds(BOOK).length === 1);
  sendWord(1, 'second');
  await until(() => sink.calls.length === 3);
  expect(sink.calls).toEqual(['{"word":"first"}', 'lost', '{"word":"second"}']);
  expect(links.map(({ isUp }) => isUp)).toEqual([true, false, true]);
});

it('a cut of the old socket during a takeover loses no message', async () => {
  const { venue, transport, sink, connection, sendWord } = await subscribed();
  transport.renew('test');
  await until(() => venue.connections[1]?.subscriptionIds(BOOK).length === 1);
  connection(0).socket.terminate();
  await until(() => connection(0).socket.readyState === connection(0).socket.CLOSED);
  sendWord(1, 'on');
  await until(() => sink.calls.length === 1);
  expect(sink.calls).toEqual(['{"word":"on"}']);
  expect(transport.isOpen).toBe(true);
});

it('a replacement whose new socket is refused is tried again, while the old socket carries on', async () => {
  const { venue, transport, sink, connection, sendWord, links } = await subscribed();
  venue.refusesWith = 503;
  transport.renew('test');
  await until(() => venue.refusals === 2);
  expect(transport.isOpen).toBe(true);
  sendWord(0, 'old');
  await until(() => sink.calls.length === 1);
  venue.refusesWith = undefined;
  await until(() => venue.connections[1]?.subscriptionIds(BOOK).length === 1);
  sendWord(1, 'new');
  await until(() => connection(0).socket.readyState === connection(0).socket.CLOSED);
  expect(sink.calls).toEqual(['{"word":"old"}', '{"word":"new"}']);
  expect(links.map(({ isUp }) => isUp)).toEqual([true, true]);
});

it('a replacement that is refused for ever is logged as one error with its remedy, not at each attempt', async () => {
  const logged: unknown[] = [];
  const log = { ...SILENT, error: (fields: object, text: string) => void logged.push([text, fields]) };
  const { venue, transport } = await subscribed({}, log);
  venue.refusesWith = 401;
  transport.renew('a new session');
  await until(() => venue.refusals === 4);
  expect(transport.isOpen).toBe(true);
  expect(logged).toEqual([
    [
      'venue: the new socket was refused, the old one carries on. Check ws_url, headers, and whether this address may trade there',
      { problem: expect.stringContaining('the server refused it with HTTP 401'), suppressed: 0 },
    ],
  ]);
});

it('a silent new socket takes over after the takeover time', async () => {
  const { venue, transport, sink, sendWord, connection } = await subscribed({ takeoverMs: 100 });
  transport.renew('test');
  await until(() => connection(0).socket.readyState === connection(0).socket.CLOSED);
  sendWord(1, 'slow');
  await until(() => sink.calls.length === 1);
  expect(venue.connections).toHaveLength(2);
});

it('a rate-limited subscription is repeated after the given time', async () => {
  const { sink, connection, sendWord } = await subscribed();
  connection(0).send({ id: '1', type: 'error', payload: [{ message: 'rate limited: retry in 5 ms', path: [] }] });
  await until(() => connection(0).subscriptionIds(BOOK).length === 2);
  sendWord(0, 'now');
  await until(() => sink.calls.length === 1);
  expect(sink.calls).toEqual(['{"word":"now"}']);
});

it('a refused subscription is reported once, and nothing after its end', async () => {
  const { sink, handle, connection } = await subscribed();
  connection(0).send({ id: '1', type: 'error', payload: [{ message: 'UNAUTHORIZED', path: [BOOK] }] });
  await until(() => sink.calls.length === 1);
  handle.resubscribe();
  handle.end();
  expect(sink.calls).toEqual(['refused: UNAUTHORIZED']);
});

it('messages of an old subscription are ignored after a new one started', async () => {
  const { sink, handle, connection } = await subscribed();
  handle.resubscribe();
  await until(() => connection(0).subscriptionIds(BOOK).length === 2);
  const [first = '', second = ''] = connection(0).subscriptionIds(BOOK);
  connection(0).next(first, { word: 'old' });
  connection(0).next(second, { word: 'new' });
  await until(() => sink.calls.length === 1);
  expect(sink.calls).toEqual(['{"word":"new"}']);
  expect(connection(0).received.map(({ type }) => type)).toEqual(['subscribe', 'complete', 'subscribe']);
});

it('more subscriptions than the maximum of one socket open another socket', async () => {
  const { venue, transport, sink } = await subscribed({ maxSubscriptions: 1 });
  transport.subscribe(OPERATIONS.tradeExecuted, () => ({ marketId: 'm' }), sink);
  await until(() => venue.connections[1]?.subscriptionIds('tradeExecuted').length === 1);
  expect(venue.connections).toHaveLength(2);
});

it('credentials are sent with the handshake, and a new socket sends the new ones', async () => {
  const venue = await ScriptedVenue.open();
  const transport = transportTo(venue.url);
  transport.setCredentials('one');
  await transport.open();
  transport.setCredentials('two');
  transport.renew('other rights');
  await until(() => venue.connections[1]?.init !== undefined);
  expect(venue.connections.map(({ init }) => init)).toEqual([
    { Authorization: 'Bearer one' },
    { Authorization: 'Bearer two' },
  ]);
});

it('an answer over the socket is data, errors, or lost by a timeout or with the socket', async () => {
  const venue = await ScriptedVenue.open();
  const transport = transportTo(venue.url);
  await transport.open();
  const [connection] = venue.connections;
  const answers: Readonly<Record<string, () => void>> = {
    '1': () => connection?.next('1', { cancelAllOrders: { cancelledIds: [], newEpoch: '1', seq: '2' } }),
    '2': () => connection?.next('2', { cancelAllOrders: null }, [{ message: 'no', path: ['cancelAllOrders'] }]),
    '3': () =>
      connection?.send({ id: '3', type: 'error', payload: [{ message: 'UNAUTHORIZED', path: ['cancelAllOrders'] }] }),
    '5': () => connection?.socket.terminate(),
  };
  venue.onMessage = (_connection, { id }) => answers[id]?.();
  const cancelAll = (timeoutMs = 5_000) => transport.mutate(OPERATIONS.cancelAllOrders, {}, { timeoutMs });
  expect(await cancelAll()).toMatchObject({ type: 'data', data: { cancelAllOrders: { cancelledIds: [] } } });
  expect(await cancelAll()).toMatchObject({ type: 'errors', errors: [{ message: 'no' }] });
  expect(await cancelAll()).toMatchObject({ type: 'errors', errors: [{ message: 'UNAUTHORIZED' }] });
  expect(await cancelAll(20)).toMatchObject({ type: 'lost', isSent: true });
  expect(await cancelAll()).toMatchObject({ type: 'lost', isSent: true });
});

it('a server that refuses sockets is reported as BLOCKED', async () => {
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
  await expect(transport.open(500)).rejects.toMatchObject({
    code: 'LINK',
    retryable: true,
    message: expect.stringContaining('a redirect'),
  });
  venue.refusesWith = undefined;
  await transport.open();
  expect(transport.isOpen).toBe(true);
});

it('a venue that is unreachable or does not acknowledge is reported within the timeout', async () => {
  const venue = await ScriptedVenue.open();
  venue.isAcknowledging = false;
  await expect(transportTo(venue.url).open(50)).rejects.toMatchObject({ code: 'LINK', retryable: true });
  const { url } = venue;
  venue.close();
  await expect(transportTo(url).open(50)).rejects.toMatchObject({ code: 'LINK' });
});

it('pauses between sockets grow while a venue acknowledges and then breaks each socket, until one lasts', async () => {
  const venue = await ScriptedVenue.open();
  const wall = wallClock();
  const start = wall.now();
  let ahead = 0;
  const pauses: number[] = [];
  const clock: Clock = {
    now: () => timeAfter(start, ahead),
    schedule: (when, fire) => {
      const wait = when - clock.now();
      // Longer timers are time limits of opening.
      if (wait < 5_000) pauses.push(wait);
      return wall.schedule(timeAfter(wall.now(), wait), fire);
    },
  };
  let isBroken = true;
  venue.onMessage = ({ socket }) => {
    if (isBroken) socket.send('<html>');
  };
  const transport = createTransport({
    endpoint: parseEndpoint({ url: venue.url }),
    operations: new OperationTexts(),
    clock,
    random: seededRandom(1),
    log: SILENT,
  });
  transport.subscribe(OPERATIONS.orderBookUpdated, () => ({ marketId: 'm' }), new RecordingSink(), {
    startsWithEvent: true,
  });
  await until(() => pauses.length === 5);
  isBroken = false;
  expect(pauses[0]).toBe(0);
  for (const [at, pause] of pauses.slice(1).entries()) {
    expect(pause).toBeGreaterThanOrEqual(50 * 2 ** at);
    expect(pause).toBeLessThanOrEqual(100 * 2 ** at);
  }
  await until(() => venue.connections[5]?.subscriptionIds(BOOK).length === 1);
  ahead = 10_000;
  venue.connections[5]?.socket.terminate();
  await until(() => venue.connections[6]?.subscriptionIds(BOOK).length === 1);
  expect(pauses.slice(5)).toEqual([0]);
  await transport.close();
});

it('a replacement of a healthy socket retries at once, although an earlier replacement needed many tries', async () => {
  const venue = await ScriptedVenue.open();
  const wall = wallClock();
  let ahead = 0;
  const pauses: number[] = [];
  const clock: Clock = {
    now: () => timeAfter(wall.now(), ahead),
    schedule: (when, fire) => {
      const wait = when - clock.now();
      // Longer timers are time limits of opening.
      if (wait < 5_000) pauses.push(Math.max(0, wait));
      return wall.schedule(timeAfter(wall.now(), wait), fire);
    },
  };
  const transport = createTransport({
    endpoint: parseEndpoint({ url: venue.url }),
    operations: new OperationTexts(),
    clock,
    random: seededRandom(1),
    log: SILENT,
  });
  await transport.open();
  const subscriptionCount = (at: number): number => venue.connections[at]?.subscriptionIds(BOOK).length ?? 0;
  transport.subscribe(OPERATIONS.orderBookUpdated, () => ({ marketId: 'm' }), new RecordingSink());
  await until(() => subscriptionCount(0) === 1);
  venue.refusesWith = 503;
  transport.renew('first');
  await until(() => venue.refusals === 4);
  venue.refusesWith = undefined;
  await until(() => venue.connections[0]?.socket.readyState === venue.connections[0]?.socket.CLOSED);
  expect(subscriptionCount(1)).toBe(1);
  ahead = 10_000;
  pauses.length = 0;
  venue.refusesWith = 503;
  transport.renew('second');
  await until(() => venue.refusals === 6);
  const [first = -1, second = -1] = pauses;
  expect(first).toBeLessThan(50);
  expect(second).toBeLessThanOrEqual(100);
  await transport.close();
});

it('a socket whose venue does not read is closed, and its requests are reported as lost after the call', async () => {
  const { venue, transport, connection } = await subscribed();
  connection(0).socket.pause();
  const text = 'x'.repeat(1_000_000);
  const answers: object[] = [];
  let received = 0;
  for (let count = 0; count < 40 && transport.isOpen; count += 1) {
    transport.send(OPERATIONS.placeOrder, JSON.stringify({ text }), (answer) => void answers.push(answer));
    received = answers.length;
  }
  expect([transport.isOpen, received]).toEqual([false, 0]);
  await until(() => answers.length > 0);
  expect(answers[0]).toMatchObject({ type: 'lost', isSent: true, problem: expect.stringContaining('does not read') });
  await until(() => venue.connections[1]?.subscriptionIds(BOOK).length === 1);
});
