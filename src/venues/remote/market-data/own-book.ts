/** Facts about own orders on their way to the books they concern. */
import type { MarketNo, MicroShares } from '../../../domain/index.ts';
import type { MarketLine } from './market-line.ts';
import type { OwnLevel } from './own-levels.ts';
import type { OwnFacts, OwnPlace } from './own-orders-port.ts';
import { Recent } from './prints.ts';

export interface OwnBookHost {
  line(market: MarketNo): MarketLine | undefined;
  guard(run: () => void): void;
  /** Trades that waited may be known by now. */
  changed(): void;
}

/** A fill is told before its trade, or shortly after it. */
const RECENT_FILLS = 4_096;

export class OwnBook implements OwnFacts {
  readonly #host: OwnBookHost;
  readonly #markets = new Map<string, MarketNo>();
  /** Books with facts that the core has not seen in them, each with a level that they concern. */
  readonly #changed = new Map<MarketLine, OwnLevel>();
  readonly #trades = new Recent<string>(RECENT_FILLS);
  /** Our own stream has been told up to here. */
  seq = 0;

  constructor(host: OwnBookHost) {
    this.#host = host;
  }

  isOwn(tradeId: string): boolean {
    return this.#trades.has(tradeId);
  }

  placing(order: string, place: OwnPlace): void {
    const line = this.#host.line(place.market);
    if (line === undefined) return;
    this.#markets.set(order, place.market);
    line.own.placing(order, place);
  }

  rests(order: string, seq: number, remaining: MicroShares): void {
    this.#on(order, ({ own }) => own.rests(order, { seq, remaining }));
    if (remaining === 0) this.#markets.delete(order);
  }

  cancelling(order: string): void {
    this.#line(order)?.own.cancelling(order);
  }

  never(order: string): void {
    this.#on(order, ({ own }) => own.never(order));
    this.#markets.delete(order);
  }

  reveal(): void {
    if (this.#changed.size === 0) return;
    const changed = [...this.#changed];
    this.#changed.clear();
    for (const [line, level] of changed) this.#host.guard(() => line.reveal(level));
  }

  traded(tradeId: string): void {
    this.#trades.add(tradeId);
  }

  caughtUp(seq: number): void {
    if (seq > this.seq) this.seq = seq;
    this.#host.changed();
  }

  /** @param note what is to be noted in the book's line; answers the level that it concerns */
  #on(order: string, note: (line: MarketLine) => OwnLevel | undefined): void {
    const line = this.#line(order);
    const level = line === undefined ? undefined : note(line);
    if (line !== undefined && level !== undefined) this.#changed.set(line, level);
  }

  #line(order: string): MarketLine | undefined {
    const market = this.#markets.get(order);
    return market === undefined ? undefined : this.#host.line(market);
  }
}
