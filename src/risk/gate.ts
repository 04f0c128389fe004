/** Checks intents: first whether the market may be traded now, then each quote or take against the limits. */
import {
  approve,
  type ClaimIntent,
  type ConvertIntent,
  FULL_BPS,
  gridDown,
  gridUp,
  type InstanceNo,
  type Intent,
  isFinal,
  LOT,
  MAX_ORDER_SHARES,
  type MarketInfo,
  type MarketNo,
  type MicroShares,
  onGrid,
  type PriceBps,
  type Quote,
  type QuoteIntent,
  type Refused,
  type Sign,
  type TakeIntent,
  unchecked,
  yesPrice,
  yesSign,
} from '../domain/index.ts';
import type { AccountView, MarketView } from '../state/index.ts';
import { Commitments } from './commitments.ts';
import { LimitChecker } from './limit-check.ts';
import type { RiskLimits } from './limits.ts';
import { breachText, LossWatch } from './loss-watch.ts';
import { type CheckContext, feeRefusal, modeRefusal, tradingRefusal, venueRefusal } from './market-check.ts';
import { conditionRefusal, type RiskGate, type RiskMode, type RiskSnapshot, refusal, type Verdict } from './policy.ts';

/** Creates the gate that all strategies of an account share. Without `saved`, the gate is ACTIVE and has no losses. */
export function createRiskGate(limits: RiskLimits, saved?: RiskSnapshot): RiskGate {
  return new Gate(limits, saved);
}

class Gate implements RiskGate {
  readonly limits: RiskLimits;
  readonly #commitments = new Commitments();
  readonly #losses: LossWatch;
  #mode: RiskMode = 'ACTIVE';
  #reason: string | undefined;

  constructor(limits: RiskLimits, saved: RiskSnapshot | undefined) {
    this.limits = limits;
    this.#losses = new LossWatch(limits);
    if (saved === undefined) return;
    this.#mode = saved.mode;
    this.#reason = saved.reason ?? undefined;
    this.#losses.restore(saved.losses);
  }

  get mode(): RiskMode {
    return this.#mode;
  }

  get reason(): string | undefined {
    return this.#reason;
  }

  check(intent: Intent, instance: InstanceNo, view: AccountView): Verdict {
    const market = view.markets[intent.market];
    if (market === undefined) return refusedVerdict(conditionRefusal(intent.market, 'MARKET_NOT_OPEN'));
    const context = {
      limits: this.limits,
      mode: this.#mode,
      commitments: this.#commitments,
      view,
      bot: instance,
      market,
    };
    if (intent.type === 'quote') return checkQuotes(intent, context);
    if (intent.type === 'take') return checkTake(intent, context);
    const refused = conversionRefusal(intent, context);
    return refused === undefined ? { approved: approve(intent), refused: NOTHING_REFUSED } : refusedVerdict(refused);
  }

  feeRefusal(market: MarketView): Refused | undefined {
    return feeRefusal(market, this.limits);
  }

  checkLosses(view: AccountView): Refused | undefined {
    if (this.#mode === 'KILLED') return undefined;
    const breach = this.#losses.check(view);
    if (breach === undefined) return undefined;
    this.#mode = 'KILLED';
    this.#reason = breachText(breach);
    // The refusal of the whole account names the market with the largest worst case.
    return refusal(this.#commitments.largestMarket(view), breach.code, breach.limit, breach.actual);
  }

  setMode(mode: RiskMode, reason?: string): void {
    if (this.#mode === 'KILLED' && mode !== 'ACTIVE') return;
    if (this.#mode === 'PAUSED' && mode === 'REDUCING') return;
    if (this.#mode === 'KILLED' && mode === 'ACTIVE') this.#losses.restart();
    this.#mode = mode;
    this.#reason = mode === 'ACTIVE' ? undefined : reason;
  }

  onHoldingsChanged(market: MarketNo): void {
    this.#commitments.invalidate(market);
  }

  snapshot(): RiskSnapshot {
    return { mode: this.#mode, reason: this.#reason ?? null, losses: this.#losses.snapshot() };
  }
}

const NOTHING_REFUSED: readonly Refused[] = [];

function refusedVerdict(refused: Refused): Verdict {
  return { approved: undefined, refused: [refused] };
}

/**
 * Checks the quotes of a set in order. Each quote is checked together with the quotes granted before it, so a strategy
 * lists its most important levels first. In a market that must not be traded, the approved set is empty.
 */
function checkQuotes(intent: QuoteIntent, context: CheckContext): Verdict {
  if (intent.quotes.length === 0) return { approved: approve(intent), refused: NOTHING_REFUSED };
  const refused = tradingRefusal(context);
  if (refused !== undefined)
    return { approved: approve({ ...intent, quotes: [] }), refused: intent.quotes.map(() => refused) };
  const { commitments, market, view, bot } = context;
  const marketCommitments = commitments.forMarket(intent.market);
  const others = marketCommitments.recalculate(market, bot);
  const { bids, asks, orders, reserve, cancellingReserve } = marketCommitments.forInstance(bot);
  // The quotes may use free cash and reserves of replaced orders. Another instance's replace in flight reserves cash
  // twice. Then `available` can be negative, but the own reserve stays usable.
  const funds = Math.max(view.available + reserve + cancellingReserve, reserve);
  const checker = new LimitChecker(context, others, funds, 'quote');
  /** Undefined until a quote is cut or refused. */
  let granted: Quote[] | undefined;
  let index = 0;
  for (const quote of intent.quotes) {
    const grantedQuote = grantQuote(quote, intent, checker);
    if (grantedQuote !== quote) granted ??= intent.quotes.slice(0, index);
    if (grantedQuote !== undefined) granted?.push(grantedQuote);
    index += 1;
  }
  const worstLoss = checker.worstLossWith(
    others.bids.cost + Math.max(bids.cost, checker.granted.bids.cost),
    others.asks.cost + Math.max(asks.cost, checker.granted.asks.cost),
  );
  commitments.setUsage(intent.market, worstLoss, others.orders + Math.max(orders, checker.granted.orders));
  marketCommitments.approve(bot, checker.granted);
  commitments.retained.last = checker; // Keeps the compiled code of `LimitChecker` (see `Retained`).
  if (granted === undefined) return { approved: approve(intent), refused: NOTHING_REFUSED };
  return { approved: approve({ ...intent, quotes: granted }), refused: checker.refused };
}

/** Returns the granted part of the quote, and adds a refusal for the rest. */
function grantQuote(quote: Quote, { tolerance }: QuoteIntent, checker: LimitChecker): Quote | undefined {
  const { info } = checker.context.market;
  const { side, price } = quote;
  const sign = side === 'bid' ? 1 : -1;
  const malformed = gridRefusal(info, price, sign) ?? sizeRefusal(info, quote.shares);
  if (malformed !== undefined) {
    checker.refused.push(malformed);
    return undefined;
  }
  const shares = cutToMode(quote.shares, sign, checker);
  if (shares === 0 || !checker.grant(sign, price, shares, worstRestingPrice(price, sign, tolerance?.pricePct)))
    return undefined;
  return shares === quote.shares ? quote : { ...quote, shares };
}

/** Returns the worst price at which an order can rest for this quote: above `price` for a bid, below it for an ask. */
function worstRestingPrice(price: PriceBps, sign: Sign, tolerancePct: number | undefined): PriceBps {
  if (tolerancePct === undefined || !(tolerancePct > 0)) return price;
  const reach = (price * tolerancePct) / 100;
  return unchecked.price(
    sign === 1 ? Math.min(FULL_BPS - 1, Math.floor(price + reach)) : Math.max(1, Math.ceil(price - reach)),
  );
}

/** While REDUCING, returns the part of `shares` that does not reverse the position, and refuses the rest. */
function cutToMode(shares: MicroShares, sign: Sign, checker: LimitChecker): MicroShares {
  const { mode, market } = checker.context;
  if (mode !== 'REDUCING') return shares;
  const room = Math.max(0, -sign * market.position.net - checker.openShares(sign));
  if (shares <= room) return shares;
  checker.refused.push(refusal(market.info.market, 'REDUCE_ONLY', room, shares));
  return unchecked.shares(room);
}

/** Checks a take together with all open orders, including the instance's quotes, because a take replaces none. */
function checkTake(intent: TakeIntent, context: CheckContext): Verdict {
  const { commitments, market, view } = context;
  const sign = yesSign(intent.outcome, intent.side);
  const price = yesPrice(intent.outcome, intent.limit);
  const refused =
    tradingRefusal(context) ??
    (view.venue.mode === 'POST_ONLY' ? conditionRefusal(intent.market, 'VENUE_MODE') : undefined) ??
    gridRefusal(market.info, price) ??
    sizeRefusal(market.info, intent.shares);
  if (refused !== undefined) return refusedVerdict(refused);
  const others = commitments.forMarket(intent.market).recalculate(market);
  const checker = new LimitChecker(context, others, Math.max(0, view.available), 'take');
  const shares = cutToMode(intent.shares, sign, checker);
  if (shares === 0 || !checker.grant(sign, price, shares, price)) {
    return { approved: undefined, refused: checker.refused.slice(-1) };
  }
  commitments.setUsage(intent.market, checker.worstLoss, others.orders);
  return { approved: approve(shares === intent.shares ? intent : { ...intent, shares }), refused: checker.refused };
}

/**
 * Checks a split, merge or claim. A conversion changes neither net position nor equity nor worst case. The market must
 * allow the conversion (docs/spec/venue.md#market-states), and the cash or the pairs must be free.
 */
function conversionRefusal(intent: ConvertIntent | ClaimIntent, context: CheckContext): Refused | undefined {
  const refused = modeRefusal(context);
  if (refused !== undefined) return refused;
  const { info, state } = context.market;
  if (intent.type === 'claim') {
    return isFinal(state.status) ? undefined : conditionRefusal(intent.market, 'MARKET_NOT_FINAL');
  }
  return (
    sizeRefusal(info, intent.shares) ??
    venueRefusal(context) ??
    (intent.type === 'split' ? splitRefusal(intent, context) : mergeRefusal(intent, context))
  );
}

/** A split needs an OPEN market and one dollar a pair. REDUCING refuses splits, because a split ties up cash. */
function splitRefusal({ market, shares }: ConvertIntent, context: CheckContext): Refused | undefined {
  if (context.mode === 'REDUCING') return refusal(market, 'REDUCE_ONLY', 0, shares);
  if (context.market.state.status !== 'OPEN') return conditionRefusal(market, 'MARKET_NOT_OPEN');
  const cash = Math.max(0, context.view.available);
  return shares > cash ? refusal(market, 'INSUFFICIENT_BALANCE', cash, shares) : undefined;
}

/** A merge needs a market that is not final, and pairs that no open order sells. */
function mergeRefusal({ market, shares }: ConvertIntent, context: CheckContext): Refused | undefined {
  const { position, state } = context.market;
  if (isFinal(state.status)) return conditionRefusal(market, 'MARKET_NOT_OPEN');
  const { sellingYes, sellingNo } = context.commitments.forMarket(market).recalculate(context.market);
  const pairs = Math.max(0, Math.min(position.yes - sellingYes, position.no - sellingNo));
  return shares > pairs ? refusal(market, 'INSUFFICIENT_SHARES', pairs, shares) : undefined;
}

/**
 * Refuses a price in YES terms that is off the grid. A take has no sign and can use the grid of either side. The limit
 * in the refusal is the nearest price on the passive side, or 0.
 */
function gridRefusal(info: MarketInfo, price: number, sign?: Sign): Refused | undefined {
  if (Number.isInteger(price) && price > 0 && price < FULL_BPS && onGrid(info.grid, price, sign)) return undefined;
  const nearest = sign === -1 ? gridUp(info.grid, price) : gridDown(info.grid, price);
  return refusal(info.market, 'OFF_GRID', nearest ?? 0, price);
}

/** Refuses a size that is not a whole number of lots, or is above the venue's largest order; micro-shares. */
function sizeRefusal(info: MarketInfo, shares: number): Refused | undefined {
  if (shares > MAX_ORDER_SHARES) return refusal(info.market, 'MAX_ORDER', MAX_ORDER_SHARES, shares);
  if (!Number.isSafeInteger(shares) || shares % LOT !== 0) return refusal(info.market, 'OFF_LOT', LOT, shares);
  return shares < LOT ? refusal(info.market, 'BELOW_MIN', LOT, shares) : undefined;
}
