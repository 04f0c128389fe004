/** Taker fees that markets ask: people are told where orders are stopped for one, and an operator may accept a rise. */
import { INVALID_FEE_BPS, InputFault, type Refused } from '../../domain/index.ts';
import type { RiskGate } from '../../risk/index.ts';
import type { Run, Step } from '../../runtime/index.ts';
import type { AccountState, MarketWorld } from '../../state/index.ts';
import type { Log } from '../ports.ts';
import { unknownMarket } from './unknown-market.ts';

export interface MarketFeesDeps {
  readonly state: AccountState;
  readonly gate: Pick<RiskGate, 'feeRefusal'>;
  readonly run: Pick<Run, 'confirmFee'>;
  readonly log: Log;
  readonly alert: (text: string, fields: Readonly<Record<string, string | number>>) => void;
  /** `risk.max_fee_bps`. */
  readonly maxFeeBps: number;
  /** As in `LiveBotParts`. */
  readonly commandLine: (...command: readonly string[]) => string;
}

export class MarketFees {
  readonly #deps: MarketFeesDeps;
  /** What people were told of each market, by its number. */
  readonly #told = new Map<number, string>();

  constructor(deps: MarketFeesDeps) {
    this.#deps = deps;
  }

  /** As a tap of the run: looks at each market whose fee may have changed. */
  steps(steps: readonly Step[]): void {
    for (const { event } of steps) {
      if (event === undefined) continue;
      if (event.type === 'started') for (const market of this.#deps.state.markets) this.#look(market);
      else if (event.type === 'limitsChanged' || event.type === 'feeConfirmed') this.#lookAt(event.market);
      else if (event.type === 'marketAdded') this.#lookAt(event.info.market);
    }
  }

  /** Answers a text for the operator. @throws InputFault for an unknown market, or a fee out of bounds */
  confirm(name: string, feeBps: number): string {
    const { run, maxFeeBps } = this.#deps;
    const { info, limits } = this.#find(name);
    const asked = limits.feeRateBps;
    if (asked > maxFeeBps) {
      const why = `${info.slug} asks ${feeText(asked)}, above risk.max_fee_bps of ${maxFeeBps}`;
      throw new InputFault('fee', feeBps, `a market whose fee can be accepted: ${why}`);
    }
    if (feeBps > maxFeeBps) throw new InputFault('fee', feeBps, `at most risk.max_fee_bps, ${maxFeeBps} bps`);
    if (feeBps < asked) throw new InputFault('fee', feeBps, `at least what ${info.slug} asks now, ${asked} bps`);
    run.confirmFee(info.market, feeBps);
    return `orders in ${info.slug} are signed for a fee of up to ${feeBps} bps; it asks ${asked}`;
  }

  #lookAt(market: number): void {
    const world = this.#deps.state.markets[market];
    if (world !== undefined) this.#look(world);
  }

  #look(market: MarketWorld): void {
    const { gate, log, alert, maxFeeBps, commandLine } = this.#deps;
    const { info, limits } = market;
    const acceptedFeeBps = Math.min(market.acceptedFeeBps, maxFeeBps);
    const stop = gate.feeRefusal(market);
    const before = this.#told.get(info.market);
    const fields = { market: info.slug, feeBps: limits.feeRateBps, acceptedFeeBps };
    if (stop === undefined) {
      this.#told.delete(info.market);
      if (before !== undefined) log.warn(fields, 'the fee of a market is accepted: orders are signed there again');
      return;
    }
    const text = stopText(info.slug, stop, commandLine);
    if (text === before) return;
    this.#told.set(info.market, text);
    log.error(fields, text);
    alert(`halfspread: ${text}`, fields);
  }

  #find(name: string): MarketWorld {
    const { markets } = this.#deps.state;
    const id = name.toLowerCase();
    const found = markets.find(({ info }) => info.slug === name || String(info.id) === id);
    if (found !== undefined) return found;
    throw unknownMarket(
      name,
      markets.map(({ info }) => info.slug),
    );
  }
}

function stopText(slug: string, { code, limit, was }: Refused, commandLine: MarketFeesDeps['commandLine']): string {
  const stopped = 'its orders are cancelled and nothing is signed there';
  if (code === 'FEE_ABOVE_MAX') return `${slug} asks ${feeText(was)}, above risk.max_fee_bps of ${limit}: ${stopped}`;
  const command = commandLine('market', 'confirm-fee', slug, String(was));
  return `${slug} asks ${feeText(was)}, above the accepted ${limit} bps: ${stopped} until \`${command}\``;
}

function feeText(bps: number): string {
  return bps === INVALID_FEE_BPS ? 'a fee that is no fee rate' : `a fee of ${bps} bps`;
}
