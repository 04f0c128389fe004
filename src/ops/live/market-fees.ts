/** Taker fees of markets: sends an alert when a fee stops orders, and lets an operator accept a higher fee. */
import { INVALID_FEE_BPS, InputFault, type Refused } from '../../domain/index.ts';
import type { RiskGate } from '../../risk/index.ts';
import type { Run, Step } from '../../runtime/index.ts';
import type { TradedMarket } from '../../state/index.ts';
import type { LiveBotDeps } from './live-bot-deps.ts';
import { findMarket } from './market-names.ts';

export interface MarketFeesDeps extends Pick<LiveBotDeps, 'state' | 'log' | 'alert' | 'limits' | 'commandLine'> {
  readonly gate: Pick<RiskGate, 'feeRefusal'>;
  readonly run: Pick<Run, 'submit'>;
}

export class MarketFees {
  readonly #deps: MarketFeesDeps;
  /** Last alert of each stopped market, by market number. */
  readonly #alerts = new Map<number, string>();

  constructor(deps: MarketFeesDeps) {
    this.#deps = deps;
  }

  onSteps(steps: readonly Step[]): void {
    for (const { event } of steps) {
      if (event === undefined) continue;
      if (event.type === 'started') for (const market of this.#deps.state.markets) this.#check(market);
      else if (event.type === 'limitsChanged' || event.type === 'feeConfirmed') this.#checkNumber(event.market);
      else if (event.type === 'marketAdded') this.#checkNumber(event.info.market);
    }
  }

  /** @returns a text for the operator. @throws InputFault for an unknown market, or a fee out of bounds */
  confirm(name: string, feeBps: number): string {
    const { run, state } = this.#deps;
    const { maxFeeBps } = this.#deps.limits;
    const { info, limits } = findMarket(state, name);
    const current = limits.feeRateBps;
    if (current > maxFeeBps) {
      const problem = `${info.slug} has ${feeText(current)}, above risk.max_fee_bps of ${maxFeeBps}`;
      throw new InputFault('fee', feeBps, `a market whose fee can be accepted: ${problem}`);
    }
    if (feeBps > maxFeeBps) throw new InputFault('fee', feeBps, `at most risk.max_fee_bps, ${maxFeeBps} bps`);
    if (feeBps < current) throw new InputFault('fee', feeBps, `at least the fee of ${info.slug}, ${current} bps`);
    run.submit({ type: 'feeConfirmed', market: info.market, feeRateBps: feeBps });
    return `orders in ${info.slug} are signed for a fee of up to ${feeBps} bps; its fee is ${current} bps`;
  }

  #checkNumber(market: number): void {
    const tradedMarket = this.#deps.state.markets[market];
    if (tradedMarket !== undefined) this.#check(tradedMarket);
  }

  #check(market: TradedMarket): void {
    const { gate, log, alert, commandLine } = this.#deps;
    const { info, limits } = market;
    const acceptedFeeBps = Math.min(market.acceptedFeeBps, this.#deps.limits.maxFeeBps);
    const refusal = gate.feeRefusal(market);
    const lastText = this.#alerts.get(info.market);
    const fields = { market: info.slug, feeBps: limits.feeRateBps, acceptedFeeBps };
    if (refusal === undefined) {
      this.#alerts.delete(info.market);
      if (lastText !== undefined) log.warn(fields, 'the fee of a market is accepted: orders are signed there again');
      return;
    }
    const text = stopText(info.slug, refusal, commandLine);
    if (text === lastText) return;
    this.#alerts.set(info.market, text);
    log.error(fields, text);
    alert('fee', `halfspread: ${text}`, fields);
  }
}

function stopText(slug: string, { code, limit, actual }: Refused, commandLine: MarketFeesDeps['commandLine']): string {
  const stopped = 'its orders are cancelled and nothing is signed there';
  if (code === 'FEE_ABOVE_MAX') return `${slug} has ${feeText(actual)}, above risk.max_fee_bps of ${limit}: ${stopped}`;
  const command = commandLine('market', 'confirm-fee', slug, String(actual));
  return `${slug} has ${feeText(actual)}, above the accepted ${limit} bps: ${stopped} until \`${command}\``;
}

function feeText(bps: number): string {
  return bps === INVALID_FEE_BPS ? 'an invalid fee rate' : `a fee of ${bps} bps`;
}
