import {
  addShares,
  addUsd,
  LOT,
  type MicroShares,
  type MicroUsd,
  type Outcome,
  partialCostFloor,
  payoutAt,
  payoutBps,
  subShares,
  subUsd,
  ZERO_SHARES,
  ZERO_USD,
} from '../domain/index.ts';

const HALF = payoutBps(5_000);

export interface HoldingAmounts {
  readonly yes: MicroShares;
  readonly no: MicroShares;
  readonly yesCost: MicroUsd;
  readonly noCost: MicroUsd;
}

export interface HoldingSnapshot extends HoldingAmounts {
  readonly traded: MicroUsd;
  readonly settled: MicroUsd;
}

/**
 * Shares of one market at average cost (docs/spec/venue.md#cost-basis). Stores the **total** cost per outcome, never a
 * rounded average. Removing `q` of `h` shares removes the cost `floor(cost * q / h)`. Proceeds less the removed cost
 * are realized. Only the methods of this class change the fields.
 */
export class Holding {
  yes = ZERO_SHARES;
  no = ZERO_SHARES;
  yesCost = ZERO_USD;
  noCost = ZERO_USD;
  /** Realized by sales and merges, before fees. */
  traded = ZERO_USD;
  /** Realized by claims, as payout less cost. */
  settled = ZERO_USD;

  /** Total cost of both outcomes. */
  get cost(): MicroUsd {
    return addUsd(this.yesCost, this.noCost);
  }
  /** YES minus NO in lots. */
  get netLots(): number {
    return (this.yes - this.no) / LOT;
  }

  buy(outcome: Outcome, shares: MicroShares, cost: MicroUsd): void {
    if (outcome === 'YES') {
      this.yes = addShares(this.yes, shares);
      this.yesCost = addUsd(this.yesCost, cost);
    } else {
      this.no = addShares(this.no, shares);
      this.noCost = addUsd(this.noCost, cost);
    }
  }

  /** @throws RangeError if the account holds fewer shares */
  sell(outcome: Outcome, shares: MicroShares, proceeds: MicroUsd): void {
    this.traded = addUsd(this.traded, subUsd(proceeds, this.#remove(outcome, shares)));
  }

  /** Undoes a purchase. Realizes the cost that later sales removed. @throws RangeError if fewer shares are held */
  undoBuy(outcome: Outcome, shares: MicroShares, cost: MicroUsd): void {
    const [held, heldCost] = outcome === 'YES' ? [this.yes, this.yesCost] : [this.no, this.noCost];
    const sharesLeft = subShares(held, shares);
    const costLeft = sharesLeft === 0 || cost > heldCost ? ZERO_USD : subUsd(heldCost, cost);
    if (outcome === 'YES') [this.yes, this.yesCost] = [sharesLeft, costLeft];
    else [this.no, this.noCost] = [sharesLeft, costLeft];
    this.traded = addUsd(this.traded, subUsd(addUsd(costLeft, cost), heldCost));
  }

  /** @param gained the amount that the sale realized */
  undoSell(outcome: Outcome, shares: MicroShares, proceeds: MicroUsd, gained: MicroUsd): void {
    this.buy(outcome, shares, subUsd(proceeds, gained));
    this.traded = subUsd(this.traded, gained);
  }

  /** Adds pairs. Each share costs half a dollar. */
  split(pairs: MicroShares): void {
    const half = payoutAt(pairs, HALF);
    this.buy('YES', pairs, half);
    this.buy('NO', pairs, half);
  }

  /** Removes pairs, and realizes the proceeds less the cost. @throws RangeError if the account holds fewer pairs */
  merge(pairs: MicroShares, proceeds: MicroUsd): void {
    const cost = addUsd(this.#remove('YES', pairs), this.#remove('NO', pairs));
    this.traded = addUsd(this.traded, subUsd(proceeds, cost));
  }

  /** Replaces the holdings without realizing anything. */
  replace({ yes, no, yesCost, noCost }: HoldingAmounts): void {
    this.yes = yes;
    this.no = no;
    this.yesCost = yesCost;
    this.noCost = noCost;
  }

  snapshot(): HoldingSnapshot {
    const { yes, no, yesCost, noCost, traded, settled } = this;
    return { yes, no, yesCost, noCost, traded, settled };
  }

  restore(snapshot: HoldingSnapshot): void {
    this.replace(snapshot);
    this.traded = snapshot.traded;
    this.settled = snapshot.settled;
  }

  /** Replaces all shares by a payout. */
  claim(paid: MicroUsd): void {
    const cost = addUsd(this.#remove('YES', this.yes), this.#remove('NO', this.no));
    this.settled = addUsd(this.settled, subUsd(paid, cost));
  }

  #remove(outcome: Outcome, shares: MicroShares): MicroUsd {
    if (outcome === 'YES') {
      const cost = partialCostFloor(this.yesCost, shares, this.yes);
      this.yes = subShares(this.yes, shares);
      this.yesCost = subUsd(this.yesCost, cost);
      return cost;
    }
    const cost = partialCostFloor(this.noCost, shares, this.no);
    this.no = subShares(this.no, shares);
    this.noCost = subUsd(this.noCost, cost);
    return cost;
  }
}
