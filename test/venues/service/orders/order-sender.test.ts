import { expect, it } from 'vitest';
import { epochMs, microShares, type PlaceOrder, priceBps, unchecked } from '../../../../src/domain/index.ts';
import type { Operation } from '../../../../src/protocol/index.ts';
import { OrderSender } from '../../../../src/venues/service/orders/order-sender.ts';

it.each([0, 1, 2])('every order is placed once when a batch has at most %i', (maxPlaces) => {
  const requests: string[] = [];
  const deps = {
    terms: () => ({ maxPlaces }),
    records: { epoch: 0, addSigned: () => {} },
    view: { now: epochMs(1), market: () => ({ limits: { feeRateBps: 0 }, acceptedFeeBps: 0, info: { id: 'm' } }) },
    signer: {
      sign: (command: PlaceOrder) => {
        return { order: command.order, market: command.market, hash: `0x${command.order}`, wire: '{}', command };
      },
      precomputeSalts: () => {},
    },
    orders: { add: (record: object) => ({ record }), addPending: () => {} },
    transport: { send: ({ name }: Operation<unknown, unknown>) => requests.push(name) > 0 },
    timers: { isClosed: false },
  };
  const place = (number: number): PlaceOrder => ({
    type: 'place',
    order: unchecked.order(number),
    bot: unchecked.instance(0),
    market: unchecked.market(0),
    outcome: 'YES',
    side: 'BUY',
    price: priceBps(5_000),
    shares: microShares(1_000_000),
    timeInForce: 'GTC',
    postOnly: true,
    expiration: 0,
  });
  new OrderSender(deps as never).send([place(1), place(2)]);
  expect(requests).toEqual(maxPlaces === 2 ? ['PlaceOrders'] : ['PlaceOrder', 'PlaceOrder']);
});
