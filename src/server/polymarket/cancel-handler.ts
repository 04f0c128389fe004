/** Cancels orders, and handles the dead-man's switches of API keys (docs/spec/polymarket.md#order-life). */
import { durationMs, unchecked } from '../../domain/index.ts';
import { POLYMARKET_ERRORS } from '../../protocol/polymarket/index.ts';
import { CommandResults } from '../resolvers/place-request.ts';
import { newUuid, type WireIds } from '../wire-ids.ts';
import type { PolymarketCaller } from './accounts.ts';
import { PolymarketRefusal, toRefusal } from './request.ts';
import type { PolymarketShared } from './shared.ts';

export interface CanceledAnswer {
  readonly canceled: readonly string[];
  readonly not_canceled: Readonly<Record<string, string>>;
}

export type CancelHandler = ReturnType<typeof createCancelHandler>;

export function createCancelHandler({ queue, ids, markets, faults, settings }: PolymarketShared) {
  /** The id that the next heartbeat must name, by key. */
  const expectedHeartbeatIds = new Map<string, string>();

  /** Returns the reason of each order's refusal; undefined for a cancelled order. */
  const cancelBatch = (batch: readonly string[], { account, key }: PolymarketCaller) => {
    const orders = batch.map((id) => unchecked.order(getOrderNumber(id, ids)));
    return queue.run({
      command: () => ({ type: 'cancel', time: queue.now, account, credential: key.number, orders }),
      answer: (events) => {
        const results = new CommandResults(events);
        return batch.map((_, index) => {
          const reason = results.getRefusal(index)?.reason;
          if (reason === undefined) return undefined;
          if (reason === 'VENUE_MODE') return POLYMARKET_ERRORS.disabled;
          return reason === 'NOT_FOUND' ? POLYMARKET_ERRORS.notFound : POLYMARKET_ERRORS.alreadyDone;
        });
      },
    });
  };

  return {
    /**
     * Cancels orders. Ignores repeated ids.
     * @throws PolymarketRefusal, the errors of the queue, for the first batch; later refusals are results of orders
     */
    async cancel(givenIds: readonly string[], caller: PolymarketCaller): Promise<CanceledAnswer> {
      const orderIds = [...new Set(givenIds)];
      const canceled: string[] = [];
      const reasons = new Map<string, string>();
      const { maxBatchCancels } = queue.view.config;
      for (let start = 0; start < orderIds.length; start += maxBatchCancels) {
        const batch = orderIds.slice(start, start + maxBatchCancels);
        let refusals: readonly (string | undefined)[];
        try {
          refusals = await cancelBatch(batch, caller);
          if (start === 0 && refusals.includes(POLYMARKET_ERRORS.disabled))
            throw new PolymarketRefusal(503, POLYMARKET_ERRORS.disabled);
        } catch (error) {
          const refusal = start === 0 ? undefined : toRefusal(error);
          if (refusal === undefined) throw error;
          refusals = batch.map(() => refusal.message);
        }
        for (const [index, id] of batch.entries()) {
          const reason = refusals[index];
          if (reason === undefined) canceled.push(id);
          else reasons.set(id, reason);
        }
      }
      return { canceled, not_canceled: Object.fromEntries(reasons) };
    },

    /** Returns the ids of the caller's open orders, optionally of one market, one token, or both. */
    openOrders({ account }: PolymarketCaller, market = '', asset = ''): readonly string[] {
      const token = asset === '' ? undefined : markets.findToken(asset);
      const condition = market === '' ? undefined : markets.findByCondition(market);
      if ((asset !== '' && token === undefined) || (market !== '' && condition === undefined)) return [];
      return queue.view
        .openOrders(account, condition?.number ?? token?.market.number)
        .filter(
          (open) => token === undefined || (open.market === token.market.number && open.outcome === token.outcome),
        )
        .map(({ order }) => ids.orderId(order));
    },

    /**
     * Renews the dead-man's switch of a key.
     * @returns the id that the next heartbeat must name
     * @throws PolymarketRefusal 400 with the expected id
     */
    async heartbeat(givenId: string, { key, account }: PolymarketCaller): Promise<{ readonly heartbeat_id: string }> {
      if (faults.consume('wrong-beat')) expectedHeartbeatIds.set(key.id, newUuid());
      const isArmed = (queue.view.credentialState(key.number)?.deadline ?? 0) > 0;
      // A restart loses the expected id but not the switch, so the first heartbeat after a restart names no id.
      const expected = isArmed ? (expectedHeartbeatIds.get(key.id) ?? '') : '';
      if (givenId !== expected) throw new PolymarketRefusal(400, 'Invalid Heartbeat ID', { heartbeat_id: expected });
      const next = newUuid();
      expectedHeartbeatIds.set(key.id, next);
      const timeout = durationMs(settings.heartbeatMs);
      await queue.execute({ type: 'heartbeat', time: queue.now, account, credential: key.number, timeout });
      return { heartbeat_id: next };
    },

    /** Disarms a switch that has fired, because Polymarket accepts new orders without a heartbeat. */
    async disarm({ key, account }: PolymarketCaller): Promise<void> {
      if (queue.view.credentialState(key.number)?.lapsed !== true) return;
      await queue.execute({ type: 'disarmHeartbeat', time: queue.now, account, credential: key.number });
    },
  };
}

/** Returns 0 for an unknown id. */
export function getOrderNumber(id: string, ids: WireIds): number {
  return /^0x[0-9a-fA-F]{64}$/.test(id) ? ids.orderNo(id.toLowerCase()) : 0;
}
