import {
  addShares,
  addUsd,
  costShareFloor,
  LOT,
  type MicroShares,
  type MicroUsd,
  type Outcome,
  payoutAt,
  payoutBps,
  subShares,
  subUsd,
  ZERO_SHARES,
  ZERO_USD,
} from '../domain/index.ts';

const HALF = payoutBps(5_000);

export interface Held {
  readonly yes: MicroShares;
  readonly no: MicroShares;
  readonly yesCost: MicroUsd;
  readonly noCost: MicroUsd;
}

export interface HoldingSnapshot extends Held {
  readonly traded: MicroUsd;
  readonly settled: MicroUsd;
}

/**
 * Shares of one market with what they cost: average cost, kept as **total** cost per outcome and never as a rounded
 * average (docs/spec/venue.md#cost-basis). Giving up `q` of `h` shares takes `floor(cost * q / h)` out, the last ones
 * all of it; what came in beyond that is realised.
 */
export class Holding {
  #yes = ZERO_SHARES;
  #no = ZERO_SHARES;
  #yesCost = ZERO_USD;
  #noCost = ZERO_USD;
  #traded = ZERO_USD;
  #settled = ZERO_USD;

  get yes(): MicroShares {
    return this.#yes;
  }
  get no(): MicroShares {
    return this.#no;
  }
  get yesCost(): MicroUsd {
    return this.#yesCost;
  }
  get noCost(): MicroUsd {
    return this.#noCost;
  }
  /** Of both. */
  get cost(): MicroUsd {
    return addUsd(this.#yesCost, this.#noCost);
  }
  /** Realised by sales and merges, before fees. */
  get traded(): MicroUsd {
    return this.#traded;
  }
  /** Realised by claims: what was paid less cost. */
  get settled(): MicroUsd {
    return this.#settled;
  }
  /** YES minus NO in lots. */
  get netLots(): number {
    return (this.#yes - this.#no) / LOT;
  }

  buy(outcome: Outcome, shares: MicroShares, cost: MicroUsd): void {
    if (outcome === 'YES') {
      this.#yes = addShares(this.#yes, shares);
      this.#yesCost = addUsd(this.#yesCost, cost);
    } else {
      this.#no = addShares(this.#no, shares);
      this.#noCost = addUsd(this.#noCost, cost);
    }
  }

  /** @throws RangeError when fewer are held */
  sell(outcome: Outcome, shares: MicroShares, proceeds: MicroUsd): void {
    this.#traded = addUsd(this.#traded, subUsd(proceeds, this.#giveUp(outcome, shares)));
  }

  /** A purchase did not happen. Cost that sales took out since then at the common average is realised. @throws RangeError when fewer are held */
  unbuy(outcome: Outcome, shares: MicroShares, cost: MicroUsd): void {
    const [held, before] = outcome === 'YES' ? [this.#yes, this.#yesCost] : [this.#no, this.#noCost];
    const rest = subShares(held, shares);
    const left = rest === 0 || cost > before ? ZERO_USD : subUsd(before, cost);
    if (outcome === 'YES') [this.#yes, this.#yesCost] = [rest, left];
    else [this.#no, this.#noCost] = [rest, left];
    this.#traded = addUsd(this.#traded, subUsd(addUsd(left, cost), before));
  }

  /** A sale did not happen. @param gained what it realised */
  unsell(outcome: Outcome, shares: MicroShares, proceeds: MicroUsd, gained: MicroUsd): void {
    this.buy(outcome, shares, subUsd(proceeds, gained));
    this.#traded = subUsd(this.#traded, gained);
  }

  /** Half a dollar of cost on each side of every pair. */
  split(pairs: MicroShares): void {
    const half = payoutAt(pairs, HALF);
    this.buy('YES', pairs, half);
    this.buy('NO', pairs, half);
  }

  /** A dollar a pair, less the costs of both sides. @throws RangeError when fewer pairs are held */
  merge(pairs: MicroShares, proceeds: MicroUsd): void {
    const cost = addUsd(this.#giveUp('YES', pairs), this.#giveUp('NO', pairs));
    this.#traded = addUsd(this.#traded, subUsd(proceeds, cost));
  }

  /** These are held from now on; nothing is realised. */
  replace({ yes, no, yesCost, noCost }: Held): void {
    this.#yes = yes;
    this.#no = no;
    this.#yesCost = yesCost;
    this.#noCost = noCost;
  }

  snapshot(): HoldingSnapshot {
    const { yes, no, yesCost, noCost, traded, settled } = this;
    return { yes, no, yesCost, noCost, traded, settled };
  }

  restore(snapshot: HoldingSnapshot): void {
    this.replace(snapshot);
    this.#traded = snapshot.traded;
    this.#settled = snapshot.settled;
  }

  /** Everything held is given up for what was paid. */
  claim(paid: MicroUsd): void {
    const cost = addUsd(this.#giveUp('YES', this.#yes), this.#giveUp('NO', this.#no));
    this.#settled = addUsd(this.#settled, subUsd(paid, cost));
  }

  #giveUp(outcome: Outcome, shares: MicroShares): MicroUsd {
    if (outcome === 'YES') {
      const cost = costShareFloor(this.#yesCost, shares, this.#yes);
      this.#yes = subShares(this.#yes, shares);
      this.#yesCost = subUsd(this.#yesCost, cost);
      return cost;
    }
    const cost = costShareFloor(this.#noCost, shares, this.#no);
    this.#no = subShares(this.#no, shares);
    this.#noCost = subUsd(this.#noCost, cost);
    return cost;
  }
}
