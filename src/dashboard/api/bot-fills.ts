/** Reads all fills of a bot once, then only new fills. Reading thousands each second would delay the bot's quotes. */
import { z } from 'zod';
import type { Clock } from '../../clock/index.ts';
import type { Fill, Side } from '../generated/schema-types.ts';
import { fillSchema, type ReceivedBotReport } from './report-schema.ts';

/** Maximum number of fills that a bot keeps. */
export const MAX_FILLS = 10_000;
/** Number of known fills to read with new fills, to find where both lists join. */
const OVERLAP = 20;
/** Interval of complete reads, because a reversal and a new fill together do not change the count. */
const REREAD_MS = 60_000;

/** Start of the bot's process, and its number of fills since then. */
type FillCount = Pick<ReceivedBotReport, 'startedAt' | 'fills'>;

export class BotFills {
  readonly #bot: string;
  readonly #fetchFills: (limit: number) => Promise<unknown>;
  readonly #clock: Clock;
  #fills: readonly Fill[] = [];
  #known: FillCount | undefined;
  /** Time of the last complete read, epoch ms. */
  #readAt = 0;
  #reading: Promise<readonly Fill[]> | undefined;

  /** @param bot name on the page. @param fetchFills requests at most `limit` fills from the bot */
  constructor(bot: string, fetchFills: (limit: number) => Promise<unknown>, clock: Clock) {
    this.#bot = bot;
    this.#fetchFills = fetchFills;
    this.#clock = clock;
  }

  /** @param count of the last report; undefined reads all fills. @throws faults of `fetchFills`; ZodError */
  newest(count: FillCount | undefined): Promise<readonly Fill[]> {
    this.#reading ??= this.#update(count).finally(() => {
      this.#reading = undefined;
    });
    return this.#reading;
  }

  async #update(count: FillCount | undefined): Promise<readonly Fill[]> {
    const now = this.#clock.now();
    const isSameProcess = this.#known !== undefined && this.#known.startedAt === count?.startedAt;
    const canExtend = isSameProcess && now - this.#readAt < REREAD_MS;
    const added = (count?.fills ?? 0) - (this.#known?.fills ?? 0);
    if (canExtend && added === 0) return this.#fills;
    const areFewAdded = added > 0 && added < MAX_FILLS - OVERLAP;
    const extended = canExtend && areFewAdded ? await this.#withAdded(added + OVERLAP) : undefined;
    if (extended === undefined) this.#readAt = now;
    this.#fills = extended ?? (await this.#read(MAX_FILLS));
    this.#known = count;
    return this.#fills;
  }

  /** Returns the new fills followed by the kept fills; undefined if the two lists do not join. */
  async #withAdded(limit: number): Promise<readonly Fill[] | undefined> {
    const newest = await this.#read(limit);
    if (newest.length < limit) return newest;
    const texts = newest.map((fill) => JSON.stringify(fill));
    const kept = this.#fills.slice(0, limit).map((fill) => JSON.stringify(fill));
    const joinIndex = texts.findIndex((_, from) => texts.slice(from).every((text, index) => text === kept[index]));
    return joinIndex < 0 ? undefined : [...newest.slice(0, joinIndex), ...this.#fills].slice(0, MAX_FILLS);
  }

  async #read(limit: number): Promise<readonly Fill[]> {
    const fills = z.array(fillSchema).parse(await this.#fetchFills(limit));
    return fills.map(({ time, market, outcome, side, priceBps, shares, fee, liquidity, trade, tag }) => ({
      bot: this.#bot,
      time,
      market,
      ...toYesTerms(side, outcome, priceBps),
      outcome,
      shares,
      fee,
      maker: liquidity === 'maker',
      trade,
      tag,
    }));
  }
}

/** Converts to YES terms: buying NO is selling YES at 10,000 bps minus the price. */
export function toYesTerms(side: 'BUY' | 'SELL', outcome: 'YES' | 'NO', price: number) {
  const yesSide: Side = (side === 'BUY') === (outcome === 'YES') ? 'BID' : 'ASK';
  return { side: yesSide, price: outcome === 'YES' ? price : 10_000 - price };
}
