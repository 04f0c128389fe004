/** Faults at random, and faults that an operator injects, on the channels and the REST API. */
import { OrderType, Side } from '@polymarket/clob-client-v2';
import { describe, expect, it } from 'vitest';
import { chaosSchema } from '../../../src/config/chaos-schema.ts';
import { openForTest, userChannel } from './harness.ts';

describe('random faults', () => {
  it('occur as a file of faults configures them', async () => {
    const failing = await openForTest({ chaos: chaosSchema.parse({ polymarket: { failed: 1 } }) });
    const [seller, buyer] = [await failing.join(1), await failing.join(2)];
    const trades = await userChannel(failing, buyer);
    await seller.client.createAndPostOrder({ tokenID: failing.no, price: 0.47, size: 10, side: Side.BUY });
    await buyer.client.createAndPostOrder({ tokenID: failing.yes, price: 0.53, size: 4, side: Side.BUY });
    await trades.next(({ status }) => status === 'FAILED');
    const alwaysDelayed = { delayed: 1, delay_ms: 50, retried: 1 };
    const harness = await openForTest({ chaos: chaosSchema.parse({ polymarket: alwaysDelayed }) });
    const [maker, taker] = [await harness.join(1), await harness.join(2)];
    const channel = await userChannel(harness, taker);
    await maker.client.createAndPostOrder({ tokenID: harness.no, price: 0.47, size: 10, side: Side.BUY });
    const taken = await taker.client.createAndPostOrder({ tokenID: harness.yes, price: 0.53, size: 4, side: Side.BUY });
    expect(taken).toMatchObject({ status: 'delayed' });
    await channel.next(({ status }) => status === 'RETRYING');
    await channel.next(({ status }) => status === 'CONFIRMED');
    const restarting = await openForTest({ chaos: chaosSchema.parse({ polymarket: { restart: 1 } }) });
    const { client } = await restarting.join(1);
    await expect(client.cancelAll()).rejects.toMatchObject({ status: 425 });
    expect(await client.getOpenOrders()).toEqual([]);
  });
});

describe('faults that an operator injects', () => {
  it('refuse orders during a restart or post-only phase, for a region, an order version or a revoked approval, and in other modes', async () => {
    const harness = await openForTest();
    const { client, address } = await harness.join(1);
    const { operate } = harness.venue.server;
    const place = ({ postOnly = false } = {}) =>
      client.createAndPostOrder(
        { tokenID: harness.yes, price: 0.3, size: 5, side: Side.BUY },
        undefined,
        OrderType.GTC,
        postOnly,
      );
    const fault = (name: string, for_ms = 60_000) => operate('polymarket-fault', { fault: name, for_ms });
    await fault('restart');
    await expect(place()).rejects.toMatchObject({ status: 425 });
    await expect(client.cancelAll()).rejects.toMatchObject({ status: 425 });
    await fault('restart', 0);
    await fault('post-only');
    await expect(place()).rejects.toMatchObject({ status: 503, data: { code: 'post_only_mode' } });
    expect(await place({ postOnly: true })).toMatchObject({ status: 'live' });
    await fault('post-only', 0);
    await fault('region');
    await expect(place()).rejects.toMatchObject({ status: 403 });
    expect((await client.cancelAll()).canceled).toHaveLength(1);
    await fault('region', 0);
    await operate('polymarket-approve', { address, asset: 'COLLATERAL', approved: false });
    await expect(place()).rejects.toThrow('not enough balance / allowance');
    await operate('polymarket-approve', { address, asset: 'COLLATERAL' });
    await operate('polymarket-order-version', { version: 3 });
    await expect(place()).rejects.toThrow('order_version_mismatch');
    // The client has read the new version after the refusal.
    expect(await place()).toMatchObject({ status: 'live' });
    expect(await client.getVersion()).toBe(3);
    await operate('mode', { mode: 'CANCEL_ONLY' });
    await expect(place()).rejects.toThrow('cancel-only');
    await operate('mode', { mode: 'HALTED' });
    await expect(place()).rejects.toThrow('currently disabled');
  });

  it('lose the response to a placed order, and delay a taking order', async () => {
    const harness = await openForTest();
    const [maker, taker] = [await harness.join(1), await harness.join(2)];
    await harness.venue.server.operate('polymarket-fault', { fault: 'lose-answer' });
    const order = await maker.client.createOrder({ tokenID: harness.no, price: 0.47, size: 10, side: Side.BUY });
    await expect(maker.client.postOrder(order)).rejects.toThrow();
    const [placed] = await maker.client.getOpenOrders();
    await expect(maker.client.postOrder(order)).rejects.toThrow(`order ${placed?.id} is invalid. Duplicated.`);
    await harness.venue.server.operate('polymarket-fault', { fault: 'delay', for_ms: 2_000 });
    const channel = await userChannel(harness, taker);
    const delayed = await taker.client.createAndPostOrder({
      tokenID: harness.yes,
      price: 0.53,
      size: 4,
      side: Side.BUY,
    });
    expect(delayed).toMatchObject({ status: 'delayed' });
    await channel.next(({ event_type: type }) => type === 'trade');
    expect(await taker.client.getTrades()).toMatchObject([{ taker_order_id: delayed.orderID }]);
  });

  it('suppress or duplicate messages of the channels', async () => {
    const harness = await openForTest();
    const trader = await harness.join(1);
    const channel = await userChannel(harness, trader);
    const { operate } = harness.venue.server;
    const place = () => trader.client.createAndPostOrder({ tokenID: harness.yes, price: 0.3, size: 5, side: Side.BUY });
    await operate('polymarket-fault', { fault: 'silence', for_ms: 60_000 });
    await place();
    await operate('polymarket-fault', { fault: 'silence', for_ms: 0 });
    await operate('polymarket-fault', { fault: 'double', for_ms: 60_000 });
    await place();
    await expect.poll(() => channel.events.length).toBe(3);
    expect(channel.events[1]).toEqual(channel.events[2]);
  });

  it('refuse a heartbeat, after which the venue cancels the orders of the key and accepts new orders', async () => {
    const harness = await openForTest({ polymarket: { heartbeatMs: 1_000 } });
    const { client } = await harness.join(1);
    const place = () => client.createAndPostOrder({ tokenID: harness.yes, price: 0.3, size: 5, side: Side.BUY });
    const { heartbeat_id: id } = await client.postHeartbeat();
    await harness.venue.server.operate('polymarket-fault', { fault: 'wrong-beat' });
    const refused = await client.postHeartbeat(id).catch((error: unknown) => error);
    expect(refused).toMatchObject({ status: 400, data: { heartbeat_id: expect.stringMatching(/-/) } });
    await place();
    expect(await client.getOpenOrders()).toHaveLength(1);
    await expect.poll(() => client.getOpenOrders(), { timeout: 5_000 }).toEqual([]);
    expect(await place()).toMatchObject({ status: 'live' });
    expect((await client.postHeartbeat()).heartbeat_id).toMatch(/./);
  });
});
