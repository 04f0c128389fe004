export const noShares = () => ({ shares: 0n, reservedShares: 0n, cost: 0n, realized: 0n });

/** An account's amounts in one market, in the order in which the state is written. */
export class NaiveHolding {
  readonly YES = noShares();
  readonly NO = noShares();
  reservedCash = 0n;
  netPaid = 0n;
  fees = 0n;
  refund = 0n;
  claimed = 0n;
  readonly account: number;
  readonly market: number;

  constructor(account: number, market: number) {
    this.account = account;
    this.market = market;
  }

  get numbers(): readonly bigint[] {
    const positions = [this.YES, this.NO].flatMap((position) => Object.values(position));
    return [...positions, this.reservedCash, this.netPaid, this.fees, this.refund, this.claimed];
  }
}
