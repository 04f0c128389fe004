/**
 * One synthetic market. Its fair price is a random walk in (0, 1). Makers quote and cancel around their estimate of the
 * fair price, and some takers know the fair price.
 *
 * HOT: a scale test makes tens of millions of rows, so typed arrays and no object per row. Invariants: the book is
 * never crossed after a message. A print is at most as large as its level. The outcome is drawn once, at the end, with
 * the fair price as probability of YES. The code uses only + - * / sqrt, exp and log, which agree in all Node versions.
 */
import type { Random } from '../../clock/index.ts';
import { FULL_BPS, LOT } from '../../domain/index.ts';
import { type BlockWriter, KIND, SIDE, STATUS_CODES } from '../../tape/index.ts';
import type { SyntheticRecipe } from './recipe.ts';

/** Maximum number of levels that one taker order sweeps. */
const SWEEP_LEVELS = 4;
const LOTS_PER_SHARE = 100;
/** Maximum size of one order in lots; keeps levels far inside int32. */
const MAX_LOTS = 10_000_000;

export class SyntheticMarket {
  readonly #number: number;
  readonly #recipe: SyntheticRecipe;
  readonly #random: Random;
  readonly #out: BlockWriter;
  /** Standard deviation of one message's step, before the factor x(1-x). */
  readonly #step: number;
  readonly #driftStep: number;
  readonly #jumpChance: number;
  /** Change of the volatility per message, relative to the initial volatility. */
  readonly #volatilityStep: number;
  readonly #errorStep: number;
  /** Lots by slot, which is price / tick. */
  readonly #bids: Int32Array;
  readonly #asks: Int32Array;
  readonly #endSlot: number;
  /** Slots of the best bid and ask; 0 and `#endSlot` for an empty side. */
  #bestBid = 0;
  #bestAsk: number;
  #bidLevels = 0;
  #askLevels = 0;
  /** Fair price, 0..1. */
  #fair: number;
  /** Error of the makers' estimate in standard deviations: an Ornstein-Uhlenbeck process. */
  #error = 0;
  /** The makers' estimate of the fair price, in slots. */
  #estimate: number;
  #haltedUntil = 0;
  #volatility = 1;

  /** @param messages expected number of messages of this market, which sets the size of its steps */
  constructor(number: number, recipe: SyntheticRecipe, messages: number, random: Random, out: BlockWriter) {
    this.#number = number;
    this.#recipe = recipe;
    this.#random = random;
    this.#out = out;
    this.#step = recipe.totalVolatility / Math.sqrt(messages);
    this.#driftStep = recipe.drift / messages;
    this.#jumpChance = recipe.jumps / messages;
    this.#volatilityStep = (recipe.endVolatility - 1) / messages;
    this.#endSlot = FULL_BPS / recipe.tickBps;
    this.#bids = new Int32Array(this.#endSlot + 1);
    this.#asks = new Int32Array(this.#endSlot + 1);
    this.#bestAsk = this.#endSlot;
    this.#errorStep = Math.sqrt(2 / recipe.errorMessages);
    this.#fair = recipe.openingBps / FULL_BPS;
    this.#estimate = recipe.openingBps / recipe.tickBps;
  }

  /** Writes the rows of the first message: a book of `minLevels` per side, then the status. */
  open(): void {
    this.#writeBook();
    this.#writeStatus('OPEN');
    if (this.#recipe.placeDelayMs > 0) {
      this.#out.row(this.#number, KIND.placeDelay, SIDE.bid, 0, this.#recipe.placeDelayMs);
    }
  }

  /** Moves the fair price and writes the rows of one message. During a halt, there are no rows. */
  next(time: number): void {
    this.#moveFair();
    if (this.#haltedUntil > 0) {
      if (time >= this.#haltedUntil) this.#resume();
      return;
    }
    const { haltEvery, haltMs, takeShare, cancelShare, minLevels } = this.#recipe;
    if (haltEvery > 0 && this.#random.uniform() * haltEvery < 1) {
      this.#haltedUntil = time + haltMs;
      this.#writeStatus('HALTED');
      return;
    }
    if (this.#bidLevels < minLevels && this.#place(SIDE.bid)) return;
    if (this.#askLevels < minLevels && this.#place(SIDE.ask)) return;
    if (this.#tryInformedTake()) return;
    const draw = this.#random.uniform();
    if (draw < takeShare) this.#take(this.#random.int(2) === 0, this.#drawLots() >> 1, this.#endSlot);
    else if (draw < takeShare + cancelShare) this.#cancel();
    else this.#place(this.#random.int(2));
  }

  close(): void {
    this.#writeStatus('PENDING_RESOLUTION');
  }

  /** Writes the resolution: YES with the fair price as probability. */
  resolve(): void {
    const payout = this.#random.uniform() < this.#fair ? FULL_BPS : 0;
    this.#out.row(this.#number, KIND.resolution, SIDE.bid, payout, 0);
  }

  /** Moves the fair price x within (0, 1). Steps and the makers' error are proportional to x(1-x). */
  #moveFair(): void {
    const { errorBps, errorMessages, tickBps } = this.#recipe;
    const x = this.#fair;
    const randomStep = this.#step * this.#volatility * x * (1 - x) * this.#random.normal();
    const moved = x + randomStep + this.#driftStep * x * (1 - x);
    if (moved > 0 && moved < 1) this.#fair = moved;
    this.#volatility += this.#volatilityStep;
    if (this.#jumpChance > 0 && this.#random.uniform() < this.#jumpChance) this.#jump();
    this.#error += this.#errorStep * this.#random.normal() - this.#error / errorMessages;
    const errorNow = 4 * this.#fair * (1 - this.#fair) * errorBps * this.#error;
    this.#estimate = (this.#fair * FULL_BPS + errorNow) / tickBps;
  }

  #jump(): void {
    const { jumpLogOdds } = this.#recipe;
    const odds = (this.#fair / (1 - this.#fair)) * Math.exp(this.#random.int(2) === 0 ? jumpLogOdds : -jumpLogOdds);
    this.#fair = odds / (1 + odds);
  }

  #writeStatus(status: (typeof STATUS_CODES)[number]): void {
    this.#out.row(this.#number, KIND.status, SIDE.bid, STATUS_CODES.indexOf(status), 0);
  }

  #resume(): void {
    this.#haltedUntil = 0;
    this.#bids.fill(0);
    this.#asks.fill(0);
    this.#bestBid = 0;
    this.#bestAsk = this.#endSlot;
    this.#bidLevels = 0;
    this.#askLevels = 0;
    this.#out.row(this.#number, KIND.clear, SIDE.bid, 0, 0);
    this.#writeBook();
    this.#writeStatus('OPEN');
  }

  #writeBook(): void {
    for (let level = 0; level < this.#recipe.minLevels; level += 1) {
      this.#place(SIDE.bid);
      this.#place(SIDE.ask);
    }
  }

  /** Adds a maker's order to a level. Returns false if the side has no price remaining. */
  #place(side: number): boolean {
    const { halfSpreadBps, depthBps, tickBps } = this.#recipe;
    const distance = (halfSpreadBps + depthBps * this.#random.exponential()) / tickBps;
    const lots = this.#drawLots();
    if (side === SIDE.bid) {
      const slot = Math.min(Math.floor(this.#estimate - distance), this.#bestAsk - 1);
      if (slot < 1) return false;
      this.#setBid(slot, this.#bids[slot]! + lots);
    } else {
      const slot = Math.max(Math.ceil(this.#estimate + distance), this.#bestBid + 1);
      if (slot >= this.#endSlot) return false;
      this.#setAsk(slot, this.#asks[slot]! + lots);
    }
    return true;
  }

  /** Cancels a stale quote if there is one, otherwise a quote near the best price. */
  #cancel(): void {
    if (this.#bestBid > this.#estimate) this.#setBid(this.#bestBid, 0);
    else if (this.#bestAsk < this.#estimate) this.#setAsk(this.#bestAsk, 0);
    else {
      const side = this.#random.int(2);
      const skip = Math.floor((this.#recipe.depthBps / this.#recipe.tickBps) * this.#random.exponential());
      const isWhole = this.#random.uniform() < 0.5;
      if (side === SIDE.bid && this.#bidLevels > 0) {
        let slot = Math.max(this.#bestBid - skip, 1);
        while (slot < this.#bestBid && this.#bids[slot] === 0) slot += 1;
        this.#setBid(slot, isWhole ? 0 : this.#bids[slot]! >> 1);
      } else if (side === SIDE.ask && this.#askLevels > 0) {
        let slot = Math.min(this.#bestAsk + skip, this.#endSlot - 1);
        while (slot > this.#bestAsk && this.#asks[slot] === 0) slot -= 1;
        this.#setAsk(slot, isWhole ? 0 : this.#asks[slot]! >> 1);
      }
    }
  }

  /** Trades an informed taker's order against quotes better than the fair price. Returns false if nothing trades. */
  #tryInformedTake(): boolean {
    const fairSlot = (this.#fair * FULL_BPS) / this.#recipe.tickBps;
    const buys = this.#bestAsk < fairSlot;
    if (!buys && this.#bestBid <= fairSlot) return false;
    if (this.#random.uniform() >= this.#recipe.informedShare) return false;
    this.#take(buys, this.#drawLots(), Math.abs(fairSlot - (buys ? this.#bestAsk : this.#bestBid)));
    return true;
  }

  /** Takes from levels less than `reach` slots away from the best price. Writes all prints, then all levels. */
  #take(buys: boolean, lots: number, reach: number): void {
    const { tickBps } = this.#recipe;
    const levels = buys ? this.#asks : this.#bids;
    const step = buys ? 1 : -1;
    const from = buys ? this.#bestAsk : this.#bestBid;
    let wanted = lots;
    let slot = from;
    let remaining = 0;
    for (let swept = 0; swept < SWEEP_LEVELS && wanted > 0 && slot > 0 && slot < this.#endSlot; slot += step) {
      if ((slot - from) * step >= reach) break;
      const available = levels[slot]!;
      if (available === 0) continue;
      const taken = Math.min(available, wanted);
      this.#out.row(this.#number, KIND.trade, buys ? SIDE.bid : SIDE.ask, slot * tickBps, taken * LOT);
      wanted -= taken;
      remaining = available - taken;
      swept += 1;
    }
    const last = slot - step;
    for (let at = from; at !== slot; at += step) {
      if (levels[at] === 0) continue;
      if (buys) this.#setAsk(at, at === last ? remaining : 0);
      else this.#setBid(at, at === last ? remaining : 0);
    }
  }

  #drawLots(): number {
    const { medianShares, sizeSpread } = this.#recipe;
    const lots = Math.round(LOTS_PER_SHARE * medianShares * Math.exp(sizeSpread * this.#random.normal()));
    return Math.min(Math.max(lots, 1), MAX_LOTS);
  }

  #setBid(slot: number, lots: number): void {
    const before = this.#bids[slot]!;
    this.#bids[slot] = lots;
    if (before === 0) this.#bidLevels += 1;
    if (lots === 0) this.#bidLevels -= 1;
    if (lots > 0 && slot > this.#bestBid) this.#bestBid = slot;
    while (this.#bestBid > 0 && this.#bids[this.#bestBid] === 0) this.#bestBid -= 1;
    this.#out.row(this.#number, KIND.level, SIDE.bid, slot * this.#recipe.tickBps, lots * LOT);
  }

  #setAsk(slot: number, lots: number): void {
    const before = this.#asks[slot]!;
    this.#asks[slot] = lots;
    if (before === 0) this.#askLevels += 1;
    if (lots === 0) this.#askLevels -= 1;
    if (lots > 0 && slot < this.#bestAsk) this.#bestAsk = slot;
    while (this.#bestAsk < this.#endSlot && this.#asks[this.#bestAsk] === 0) this.#bestAsk += 1;
    this.#out.row(this.#number, KIND.level, SIDE.ask, slot * this.#recipe.tickBps, lots * LOT);
  }
}
