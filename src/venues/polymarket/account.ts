/**
 * Compares cash and tokens of the account at the venue with the core's (docs/spec/polymarket.md#balances).
 *
 * The venue's balances exclude the proceeds of unconfirmed trades. So the venue's balance may be lower than the core's
 * by the unsettled part. Differences below a lot are ignored, because rounding on the chain leaves dust.
 *
 * The bot does not redeem winnings. If a person redeems winnings, cash rises and the winning tokens are gone. The bot
 * reports both changes as one claim.
 */
import {
  addUsd,
  complement,
  costAt,
  type Fault,
  formatShares,
  formatUsd,
  isFinal,
  LOT,
  type MarketNo,
  type MicroShares,
  type MicroUsd,
  type Outcome,
  priceBps,
  subUsd,
  unchecked,
} from '../../domain/index.ts';
import { type PolymarketContracts, polymarketExchange } from '../../protocol/polymarket/index.ts';
import type { SignedRecord } from '../../runtime/index.ts';
import type { MarketView } from '../../state/index.ts';
import { batches } from '../base/index.ts';
import type { OwnEventDeps } from './account-poller.ts';
import { Balances } from './balances.ts';
import { MakerPayments, type Payment } from './maker-payments.ts';
import { blockedFault } from './rest-client.ts';
import { computeWinnings, readRedeemed } from './winnings.ts';

/** A token balance at the venue, micro-shares that need not be whole lots. */
interface TokenBalance {
  readonly shares: number;
  /** Micro-shares that the core may have in excess of `shares`. */
  readonly unsettled: number;
}

export interface Holdings {
  readonly cash: MicroUsd;
  readonly unsettledCash: number;
  readonly markets: ReadonlyMap<MarketNo, Readonly<Record<Outcome, TokenBalance>>>;
  /** Markets whose winnings are in `cash` but not in the core's cash. */
  readonly redeemed: readonly MarketNo[];
  /** Rebates and rewards that are in `cash` but not in the core's cash. */
  readonly paid: readonly Payment[];
}

export type Difference =
  /** `core` already includes the `redeemed` and `paid` differences of the same list. */
  | { readonly type: 'cash'; readonly core: MicroUsd; readonly venue: MicroUsd }
  | { readonly type: 'redeemed'; readonly market: MarketNo; readonly paid: MicroUsd }
  | { readonly type: 'paid'; readonly payment: Payment }
  | { readonly type: 'holding'; readonly market: MarketNo; readonly yes: MicroShares; readonly no: MicroShares };

const CONCURRENCY = 5;
const HALF_DOLLAR = priceBps(5_000);

export class PolymarketAccount {
  readonly balances: Balances;
  readonly #deps: OwnEventDeps;
  readonly #payments: MakerPayments;

  constructor(deps: OwnEventDeps, signatureType: number) {
    this.#deps = deps;
    this.balances = new Balances(deps.rest, signatureType);
    this.#payments = new MakerPayments(deps, signatureType);
  }

  /** @throws Fault BLOCKED if the account may only close positions; the faults of `RestClient.read` */
  async assertMayOpenPositions(): Promise<void> {
    const json = await this.#deps.rest.read({ path: '/auth/ban-status/closed-only' });
    if (Reflect.get(Object(json), 'closed_only') === true)
      throw blockedFault('the account is in closed-only mode: you can only close positions yourself');
  }

  /**
   * Returns a fault if the exchange contract has no allowance for the asset that an order pays with.
   * @throws Fault as `RestClient.read`
   */
  async findApprovalFault(
    { marketId, command }: SignedRecord,
    contracts: PolymarketContracts,
  ): Promise<Fault | undefined> {
    const { markets, version } = this.#deps;
    const exchange = polymarketExchange(version(), markets.byId(marketId).isNegRisk);
    const token = command.side === 'SELL' ? markets.tokenId(marketId, command.outcome) : undefined;
    await this.balances.refreshAndRead(token);
    return this.balances.findApprovalFault(contracts, [exchange], token);
  }

  /** Warns of stored positions that nothing compares with the venue, because their tokens are unknown. */
  warnOfUnlistedMarkets(): void {
    const { view, markets, log } = this.#deps;
    for (const { info, position, state } of view.markets) {
      if (isFinal(state.status) || position.yes + position.no === 0 || markets.find(info.id) !== undefined) continue;
      const held = { market: info.slug, yes: position.yes, no: position.no };
      log.warn(held, 'the venue does not list the market of a position: compare the position yourself');
    }
  }

  /** Reads the balances. `active` leaves out markets without holdings and orders. @throws Fault as `RestClient.read` */
  async read(scope: 'all' | 'active'): Promise<Holdings> {
    const { view, markets: table } = this.#deps;
    await this.#payments.replaceAdjustments();
    // A market that is not listed any more has no known tokens.
    const listed = view.markets.filter(({ info }) => table.find(info.id) !== undefined);
    const toRead = listed.filter(({ state, position, orders }) => {
      const isActive = position.yes + position.no > 0 || orders.length > 0;
      return !isFinal(state.status) && (scope === 'all' || isActive);
    });
    const markets = new Map<MarketNo, Readonly<Record<Outcome, TokenBalance>>>();
    const readTokens = async ({ info }: MarketView): Promise<void> => {
      const [yes, no] = await Promise.all(table.byId(info.id).tokens.map((token) => this.balances.readBalance(token)));
      const unsettled = this.#deps.translator.unsettled();
      const balance = (shares = 0, outcome: Outcome): TokenBalance => {
        return { shares, unsettled: unsettled.get(`${info.id} ${outcome}`) ?? 0 };
      };
      markets.set(info.market, { YES: balance(yes, 'YES'), NO: balance(no, 'NO') });
    };
    for (const batch of batches(toRead, CONCURRENCY)) await Promise.all(batch.map(readTokens));
    const balance = await this.balances.readBalance();
    const won = view.markets.filter((each) => computeWinnings(each) > 0);
    // Redeeming raises the cash. Without a rise, nothing was redeemed.
    const mayBeRedeemed = won.length > 0 && balance >= view.cash + LOT;
    const { cash, redeemed, partlyRedeemed } = mayBeRedeemed
      ? await readRedeemed(won, this.#deps, this.balances)
      : { cash: balance, redeemed: [], partlyRedeemed: [] };
    for (const [market, { YES, NO }] of partlyRedeemed)
      markets.set(market, { YES: { shares: YES, unsettled: 0 }, NO: { shares: NO, unsettled: 0 } });
    const unsettledCash = this.#deps.translator.unsettled().get('') ?? 0;
    const excess = redeemed.reduce((rest, market) => rest - computeWinnings(view.market(market)), cash - view.cash);
    const paid = excess < LOT || unsettledCash > 0 ? [] : await this.#payments.findExplaining(excess);
    return { cash: unchecked.usd(cash), unsettledCash, markets, redeemed, paid };
  }

  findDifferences({ cash, unsettledCash, markets, redeemed, paid }: Holdings): readonly Difference[] {
    const { view } = this.#deps;
    const differences: Difference[] = [];
    for (const [market, { YES, NO }] of markets) {
      const { yes, no } = view.market(market).position;
      if (!agrees(yes, YES.shares, YES.unsettled) || !agrees(no, NO.shares, NO.unsettled))
        differences.push({ type: 'holding', market, yes: roundDownToLots(YES.shares), no: roundDownToLots(NO.shares) });
    }
    let core: MicroUsd = view.cash;
    for (const market of redeemed) {
      const winnings = computeWinnings(view.market(market));
      core = addUsd(core, winnings);
      differences.push({ type: 'redeemed', market, paid: winnings });
    }
    for (const payment of paid) {
      core = addUsd(core, payment.amount);
      differences.push({ type: 'paid', payment });
    }
    // Excess cash is known only when all trades are settled.
    if (unsettledCash > 0 && cash > core) return differences;
    // Redeeming also pays for dust, so a difference below a lot is booked, too.
    const isExact = redeemed.length === 0 || unsettledCash > 0 || core === cash;
    if (!isExact || !agrees(core, cash, unsettledCash)) differences.push({ type: 'cash', core, venue: cash });
    return differences;
  }

  /**
   * Returns whether redeemed winnings, rebates, rewards and deposits explain all differences. Other excess cash is
   * treated as a deposit. Nothing explains missing cash or different shares.
   */
  isExplained(differences: readonly Difference[]): boolean {
    const dust = LOT * differences.filter(({ type }) => type === 'redeemed').length;
    return differences.every(
      (each) =>
        each.type === 'redeemed' || each.type === 'paid' || (each.type === 'cash' && each.venue > each.core - dust),
    );
  }

  /** Reports adjustments that give the core the venue's balances. */
  acceptVenueBalances(differences: readonly Difference[]): void {
    const { report, clock, view } = this.#deps;
    const time = clock.now();
    for (const each of differences) {
      if (each.type === 'holding') {
        const { market, yes, no } = each;
        const { mark } = view.market(market);
        // The cost is unknown, so it is estimated from the mid, or from half a dollar without a mid.
        const yesPrice = mark === undefined ? HALF_DOLLAR : unchecked.price(Math.floor(mark / 2));
        const [yesCost, noCost] = [costAt(yes, yesPrice), costAt(no, complement(yesPrice))];
        report({ type: 'holdingAdjusted', time, venueTime: time, market, yes, no, yesCost, noCost });
      } else if (each.type === 'cash')
        report({ type: 'cashAdjusted', time, venueTime: time, amount: subUsd(each.venue, each.core) });
      else if (each.type === 'paid') this.#payments.book(each.payment);
      else {
        const { market, paid } = each;
        const { yes, no } = view.market(market).position;
        const claim = { conversion: 'claim', bot: unchecked.instance(0), shares: unchecked.shares(yes + no) } as const;
        report({ type: 'converted', time, venueTime: time, market, ...claim, paid, fee: unchecked.usd(0) });
      }
    }
  }

  describe(differences: readonly Difference[]): readonly string[] {
    return differences.map((each) => {
      if (each.type === 'cash') return `cash ${formatUsd(each.core)} stored, ${formatUsd(each.venue)} at the venue`;
      if (each.type === 'paid') return this.#payments.describe(each.payment);
      const { info, position, state } = this.#deps.view.market(each.market);
      if (each.type === 'redeemed') return `${info.slug}: winnings of ${formatUsd(each.paid)} redeemed`;
      const held = ({ yes, no }: { readonly yes: MicroShares; readonly no: MicroShares }): string =>
        `${formatShares(yes)} YES and ${formatShares(no)} NO`;
      const remedy = isFinal(state.status) ? ' (winnings were redeemed in part: redeem the rest)' : '';
      return `${info.slug}: ${held(position)} stored, ${held(each)} at the venue${remedy}`;
    });
  }
}

function agrees(core: number, venue: number, unsettled: number): boolean {
  return venue > core - unsettled - LOT && venue < core + LOT;
}

/** Rounds **down** to whole lots. */
function roundDownToLots(shares: number): MicroShares {
  return unchecked.shares(shares - (shares % LOT));
}
