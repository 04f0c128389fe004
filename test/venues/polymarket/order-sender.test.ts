import { expect, it } from 'vitest';
import { unchecked } from '../../../src/domain/index.ts';
import { POLYMARKET_ERRORS, readPolymarketError } from '../../../src/protocol/polymarket/index.ts';
import { OrderSender } from '../../../src/venues/polymarket/order-sender.ts';
import type { RestOutcome } from '../../../src/venues/polymarket/rest-client.ts';
import { openParts, refusal } from './parts.ts';

async function openPlaces(options: Parameters<typeof openParts>[0] = {}) {
  const parts = await openParts(options);
  const { deps, reporter, translator, unknown, state, clock } = parts;
  const places = new OrderSender({
    ...deps,
    ...{ reporter, translator, unknown, expectOnChannel: () => {}, readTrades: () => {} },
  });
  const send = (...numbers: readonly number[]): void => {
    const commands = numbers.map((number) => parts.place(number));
    for (const command of commands) state.applyCommand(command, clock.now());
    places.send(commands);
  };
  const refusals = () =>
    parts.problems.flatMap((reported) => (reported.type === 'refused' ? [reported.error.kind] : []));
  return { ...parts, places, send, refusals };
}

const entry = (errorMsg: string) => ({ success: true, errorMsg, orderID: '', status: '' });

it('a version mismatch in a batch reports one problem and rejects the orders as stale', async () => {
  const parts = await openPlaces();
  parts.answers.set('POST /orders', () => ({
    type: 'done',
    json: [entry('order_version_mismatch'), entry('order_version_mismatch')],
  }));
  parts.send(1, 2);
  await parts.pass(100);
  expect(parts.refusals()).toEqual(['VERSION_MISMATCH']);
  expect(parts.events).toMatchObject([{ reason: 'STALE_EPOCH' }, { reason: 'STALE_EPOCH' }]);
});

it('a duplicate in a batch is uncertain, not refused', async () => {
  const parts = await openPlaces();
  parts.answers.set('POST /orders', () => ({
    type: 'done',
    json: [entry('order 0x1 is invalid. Duplicated.'), entry('invalid signature')],
  }));
  parts.send(1, 2);
  await parts.pass(0);
  expect(parts.types()).toEqual(['orderUncertain', 'orderRejected']);
});

it('the acceptance of an order has the time of the venue at its signature', async () => {
  const parts = await openPlaces({ aheadMs: 3_000 });
  parts.acceptedOrder(7);
  const signedAt = parts.state.now;
  parts.answers.set('POST /order', () => ({
    type: 'done',
    json: { success: true, errorMsg: '', orderID: parts.deps.orders.open()[1]?.hash, status: 'live' },
  }));
  parts.send(1);
  await parts.pass(0);
  expect(parts.events.at(-1)).toMatchObject({ type: 'orderAccepted', order: 1, venueTime: signedAt - 3_000 });
});

it('a version mismatch is not reported when the version has changed since', async () => {
  const parts = await openPlaces();
  const late = Promise.withResolvers<RestOutcome>();
  parts.answers.set('POST /order', () => late.promise);
  parts.send(1);
  parts.setVersion(3);
  late.resolve(refusal('VERSION_MISMATCH', 'order_version_mismatch'));
  await parts.pass(0);
  expect(parts.events).toMatchObject([{ type: 'orderRejected', order: unchecked.order(1), reason: 'STALE_EPOCH' }]);
  expect(parts.refusals()).toEqual([]);
});

it.each([
  ['a market that is closed', 'BUY', 404, POLYMARKET_ERRORS.noBook, 'MARKET_NOT_OPEN', ['termsChanged']],
  ['a market that the CLOB does not know', 'BUY', 404, POLYMARKET_ERRORS.noMarket, 'MARKET_NOT_OPEN', ['termsChanged']],
  ['a market that is not open yet', 'BUY', 400, POLYMARKET_ERRORS.notReady, 'MARKET_HALTED', []],
  [
    'dollars that are missing or not approved',
    'BUY',
    400,
    POLYMARKET_ERRORS.balance,
    'INSUFFICIENT_BALANCE',
    ['balance'],
  ],
  [
    'tokens that are missing or not approved',
    'SELL',
    400,
    POLYMARKET_ERRORS.balance,
    'INSUFFICIENT_SHARES',
    ['balance'],
  ],
] as const)(
  'the error for %s (%s) gives a reason and reports what to read again',
  async (_, side, status, text, reason, problems) => {
    const parts = await openPlaces();
    const error = readPolymarketError(status, { error: text });
    parts.answers.set('POST /order', () => ({ type: 'refused', error, json: {} }));
    const command = parts.place(1, { side });
    parts.state.applyCommand(command, parts.clock.now());
    parts.places.send([command]);
    await parts.pass(0);
    expect(parts.events).toMatchObject([{ type: 'orderRejected', reason }]);
    expect(parts.problems.map(({ type }) => type)).toEqual(problems);
  },
);
