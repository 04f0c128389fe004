/** Cancels of each kind, and the dead-man's switch of an API key (docs/spec/polymarket.md#order-life). */
import { counted, durationMs } from '../../domain/index.ts';
import type { ExchangeEvent } from '../../exchange/index.ts';
import { POLYMARKET_ERRORS } from '../../protocol/polymarket/index.ts';
import type { CommandQueue } from '../command-queue.ts';
import { EngineAnswers } from '../resolvers/signed-place.ts';
import { newUuid } from '../uuid.ts';
import type { WireIds } from '../wire-ids.ts';
import type { PolymarketCaller } from './accounts.ts';
import { PolymarketRefusal } from './fault.ts';
import type { PolymarketMarkets } from './markets.ts';

export interface CancellingDeps {
  readonly queue: CommandQueue;
  readonly ids: WireIds;
  readonly markets: PolymarketMarkets;
  readonly heartbeatMs: number;
}

export interface CanceledAnswer {
  readonly canceled: readonly string[];
  readonly not_canceled: Readonly<Record<string, string>>;
}

export class Cancelling {
  readonly #deps: CancellingDeps;
  /** The id that the next beat of a key has to name. */
  readonly #beats = new Map<string, string>();
  /** Keys whose switches are armed, by number. */
  readonly #armed = new Map<number, string>();

  constructor(deps: CancellingDeps) {
    this.#deps = deps;
    deps.queue.watch({ onCommitted: (events) => this.#onCommitted(events) });
  }

  /** @param orders their ids, in any number */
  async cancel(orders: readonly string[], caller: PolymarketCaller): Promise<CanceledAnswer> {
    const { queue } = this.#deps;
    const canceled: string[] = [];
    const reasons: Record<string, string> = {};
    for (let at = 0; at < orders.length; at += queue.view.config.maxBatchCancels) {
      const part = orders.slice(at, at + queue.view.config.maxBatchCancels);
      const refusals = await this.#cancelPart(part, caller);
      for (const [entry, id] of part.entries()) {
        const reason = refusals[entry];
        if (reason === undefined) canceled.push(id);
        else reasons[id] = reason;
      }
    }
    return { canceled, not_canceled: reasons };
  }

  cancelAll(caller: PolymarketCaller): Promise<CanceledAnswer> {
    return this.cancel(this.openOrders(caller), caller);
  }

  /** Ids of the caller's open orders, of one market or one token where given. */
  openOrders({ account }: PolymarketCaller, market = '', asset = ''): readonly string[] {
    const { queue, ids, markets } = this.#deps;
    const token = asset === '' ? undefined : markets.ofToken(asset);
    const condition = market === '' ? undefined : markets.ofCondition(market);
    if ((asset !== '' && token === undefined) || (market !== '' && condition === undefined)) return [];
    return queue.view
      .openOrders(account, token?.market.no ?? condition?.no)
      .filter((open) => token === undefined || open.outcome === token.outcome)
      .map(({ order }) => ids.orderId(order));
  }

  /**
   * Renews the switch of a key: its orders are cancelled after some seconds of silence.
   * @returns the id that the next beat names
   * @throws PolymarketRefusal 400 with the expected id
   */
  async beat(given: string, { key, account }: PolymarketCaller): Promise<{ readonly heartbeat_id: string }> {
    const { queue, heartbeatMs } = this.#deps;
    const expected = this.#beats.get(key.id) ?? '';
    if (given !== expected) throw new PolymarketRefusal(400, 'Invalid Heartbeat ID', { heartbeat_id: expected });
    const next = newUuid();
    this.#beats.set(key.id, next);
    this.#armed.set(key.number, key.id);
    const timeout = durationMs(heartbeatMs);
    await queue.execute({ type: 'heartbeat', time: queue.now, account, credential: key.number, timeout });
    return { heartbeat_id: next };
  }

  /** The id of the next beat is another one from now on: clients that missed an answer meet this. */
  changeBeat({ key }: PolymarketCaller): void {
    this.#beats.set(key.id, newUuid());
  }

  /** A switch that has fired is disarmed: unlike in the other dialect, new orders are taken at once. */
  #onCommitted(events: readonly ExchangeEvent[]): void {
    const { queue } = this.#deps;
    for (const event of events) {
      if (event.type !== 'happened' || event.event.type !== 'heartbeatLapsed') continue;
      const { account, credential } = event.event;
      const key = this.#armed.get(credential);
      if (key === undefined) continue;
      this.#armed.delete(credential);
      this.#beats.delete(key);
      void queue.execute({
        type: 'disarmHeartbeat',
        time: queue.now,
        account: counted.account(account),
        credential: counted.credential(credential),
      });
    }
  }

  #cancelPart(part: readonly string[], { account, key }: PolymarketCaller): Promise<readonly (string | undefined)[]> {
    const { queue, ids } = this.#deps;
    const numbers = part.map((id) => counted.order(isOrderId(id) ? ids.order(id.toLowerCase()) : 0));
    return Promise.resolve(
      queue.run({
        command: () => ({ type: 'cancel', time: queue.now, account, credential: key.number, orders: numbers }),
        answer: (events) => {
          const answers = new EngineAnswers(events);
          return part.map((_, entry) => {
            const reason = answers.refusalOf(entry)?.reason;
            if (reason === undefined) return undefined;
            if (reason === 'VENUE_MODE') throw new PolymarketRefusal(503, POLYMARKET_ERRORS.disabled);
            return reason === 'NOT_FOUND' ? POLYMARKET_ERRORS.notFound : POLYMARKET_ERRORS.alreadyDone;
          });
        },
      }),
    );
  }
}

function isOrderId(text: string): boolean {
  return /^0x[0-9a-fA-F]{64}$/.test(text);
}
