/** A fixed sequence whose state hash is the same on every machine and every version of Node.js. */
import { expect, it } from 'vitest';
import { STATE_VERSION } from '../../../src/exchange/engine/state.ts';
import { Harness } from '../engine/harness.ts';
import { EngineBody } from './bodies.ts';
import { OPENING } from './sequence.ts';

it('a sequence of commands keeps its hash as long as STATE_VERSION is the same', () => {
  const body = new EngineBody();
  for (const command of OPENING) body.execute(command);
  const harness = new Harness({}, body.exchange);
  harness.time = OPENING.at(-1)?.time ?? 0;
  harness.send('createGroup', { account: 2, maxFilled: 5_000_000, window: 1000 });
  const orders: Parameters<Harness['place']>[] = [
    [1, { outcome: 'YES', side: 'BUY', price: 4900, size: 12 }],
    [2, { outcome: 'NO', side: 'BUY', price: 5200, size: 7.5, timeInForce: 'FAK' }],
    [3, { outcome: 'YES', side: 'SELL', price: 5100, size: 20, expiration: harness.time + 500, timeInForce: 'GTD' }],
    [4, { outcome: 'NO', side: 'SELL', price: 4900, size: 9, hash: '0xsigned', clientOrderId: 'mine' }],
  ];
  for (const order of orders) harness.place(...order);
  harness.send('heartbeat', { account: 3, credential: 7, timeout: 2000 });
  harness.time += 1000;
  harness.send('tick');
  harness.send('voidMarket', { market: 0 });
  harness.send('claim', { account: 4, market: undefined });
  expect([STATE_VERSION, body.exchange.view.seq, body.exchange.stateHash()]).toEqual([2, 40, '060163500c4e9171']);
});
