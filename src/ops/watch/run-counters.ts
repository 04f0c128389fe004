/** Counts commands, fills and rejections of a running bot for `status`, metrics and the summary. */
import { costAt, type FillReversed, type OrderFilled, type OrderNo } from '../../domain/index.ts';
import type { Step } from '../../runtime/index.ts';

const MAX_FILLS = 10_000;

export type TaggedFill = OrderFilled & { readonly tag?: string };

export class RunCounters {
  readonly #getTag: (order: OrderNo) => string | undefined;
  readonly #refused = new Map<string, number>();
  readonly #rejected = new Map<string, number>();
  readonly #commands = new Map<string, number>();
  #fills: TaggedFill[] = [];
  /** Fills of the account, including fills of orders that this bot did not send. */
  fillCount = 0;
  makerFills = 0;
  /** Fills by liquidity, including reversed fills. Never decreases. */
  readonly everFilled = { maker: 0, taker: 0 };
  externalFills = 0;
  reversedFills = 0;
  /** Price times shares of all fills, micro-USD. */
  volume = 0;
  /** Micro-USD. */
  fees = 0;
  /** Commands whose answer was lost. */
  uncertain = 0;

  /** @param getTag returns the tag of an order. Default: no tags */
  constructor(getTag: (order: OrderNo) => string | undefined = () => undefined) {
    this.#getTag = getTag;
  }

  addSteps(steps: readonly Step[]): void {
    for (const { event, refused, commands } of steps) {
      for (const { code } of refused) count(this.#refused, code);
      for (const command of commands)
        count(this.#commands, command.type, command.type === 'replace' ? command.places.length : 1);
      if (event?.type === 'orderFilled') this.#addFill(event);
      else if (event?.type === 'fillReversed') this.#removeFill(event);
      else if (event?.type === 'orderUncertain') this.uncertain += 1;
      else if (
        event?.type === 'orderRejected' ||
        event?.type === 'cancelRejected' ||
        event?.type === 'conversionRejected'
      )
        count(this.#rejected, event.reason);
    }
  }

  get refused(): Readonly<Record<string, number>> {
    return Object.fromEntries(this.#refused);
  }

  /** Rejected orders, cancels and conversions by reason. Includes orders that never reached the venue. */
  get rejected(): Readonly<Record<string, number>> {
    return Object.fromEntries(this.#rejected);
  }

  /** Commands by type. A replace counts once for each order that it places. */
  get commands(): Readonly<Record<string, number>> {
    return Object.fromEntries(this.#commands);
  }

  /** Number of placed orders, including the orders of replaces. */
  get placed(): number {
    return (this.#commands.get('place') ?? 0) + (this.#commands.get('replace') ?? 0);
  }

  /** Returns fills, the newest first. */
  fills(limit: number): readonly TaggedFill[] {
    return this.#fills.slice(-limit).toReversed();
  }

  #addFill(fill: OrderFilled): void {
    this.fillCount += 1;
    this.everFilled[fill.liquidity] += 1;
    if (fill.liquidity === 'maker') this.makerFills += 1;
    if (fill.order === 0) this.externalFills += 1;
    this.volume += costAt(fill.shares, fill.price);
    this.fees += fill.fee;
    const tag = this.#getTag(fill.order);
    this.#fills.push(tag === undefined ? fill : { ...fill, tag });
    if (this.#fills.length > 2 * MAX_FILLS) this.#fills = this.#fills.slice(-MAX_FILLS);
  }

  #removeFill({ order, trade, shares, price, fee, liquidity }: FillReversed): void {
    const index = this.#fills.findLastIndex((fill) => fill.order === order && fill.trade === trade);
    if (index >= 0) this.#fills.splice(index, 1);
    this.fillCount -= 1;
    if (liquidity === 'maker') this.makerFills -= 1;
    if (order === 0) this.externalFills -= 1;
    this.volume -= costAt(shares, price);
    this.fees -= fee;
    this.reversedFills += 1;
  }
}

function count(counts: Map<string, number>, name: string, by = 1): void {
  counts.set(name, (counts.get(name) ?? 0) + by);
}
