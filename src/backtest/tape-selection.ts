/**
 * Applies `markets.select` in a backtest: the run trades a market only while the market is selected. A selection uses
 * only data that the bot has received, and the scheduled resolution on the tape.
 */
import type { Clock } from '../clock/index.ts';
import { FULL_BPS, InputFault, type MarketNo, timeAfter } from '../domain/index.ts';
import {
  type Core,
  computeSelectionChange,
  type MarketCandidate,
  type Run,
  type SelectionRules,
  type StrategyAssignment,
} from '../runtime/index.ts';
import type { AccountState, TradedMarket } from '../state/index.ts';
import { type Cursor, FLAG, KIND } from '../tape/index.ts';
import type { OpenTapes } from './open-tapes.ts';
import type { RunSpec } from './run-spec.ts';

/** @throws InputFault for rules on data that a tape lacks */
export function checkSelectionRules(
  { markets, strategies = [] }: RunSpec,
  { markets: infos, labels }: Pick<OpenTapes, 'markets' | 'labels'>,
): void {
  if (markets === undefined) return;
  const { select: rules } = markets;
  const refuse = (key: keyof SelectionRules, expected: string): never => {
    throw new InputFault(`markets.select.${key}`, rules[key], expected);
  };
  const findSlugWithout = (has: (label: OpenTapes['labels'][number]) => boolean): string | undefined =>
    infos[labels.findIndex((label) => !has(label))]?.slug;
  const uncategorized =
    rules.category === undefined ? undefined : findSlugWithout(({ category }) => category !== undefined);
  if (uncategorized !== undefined) refuse('category', `no value, because the tape of ${uncategorized} has no category`);
  const untagged = rules.tags.length === 0 ? undefined : findSlugWithout(({ tags }) => tags.length > 0);
  if (untagged !== undefined) refuse('tags', `no value, because the tape of ${untagged} has no tags`);
  const unscheduled = infos.find(({ scheduledResolution }) => scheduledResolution === undefined);
  if (unscheduled !== undefined) {
    const cause = `because the tape of ${unscheduled.slug} has no scheduled resolution`;
    const expected = `no value, ${cause}`;
    if (rules.rank === 'resolution') refuse('rank', `another rank, ${cause}`);
    if (rules.max_hours_left !== undefined) refuse('max_hours_left', expected);
    if (rules.min_hours_left > 0) refuse('min_hours_left', expected);
    if (rules.leave_hours_before_resolution > 0) refuse('leave_hours_before_resolution', expected);
  }
  for (const [index, { markets: named }] of strategies.entries()) {
    if (named === undefined) continue;
    const expected = 'no value when markets.select is set: each strategy trades all selected markets';
    throw new InputFault(`strategies[${index}].markets`, named, expected);
  }
}

export interface TapeSelectionOptions {
  readonly rules: SelectionRules;
  readonly clock: Clock;
  readonly state: AccountState;
  readonly labels: OpenTapes['labels'];
  readonly assignments: readonly StrategyAssignment[];
}

export class TapeSelection {
  readonly #options: TapeSelectionOptions;
  readonly #traded = new Set<MarketNo>();
  /** Received volume by market, micro-USD. A market without an entry has received nothing yet. */
  readonly #volumes = new Map<number, number>();
  #cancel: () => void = () => {};

  constructor(options: TapeSelectionOptions) {
    this.#options = options;
  }

  /** Returns a core that counts the received volume and then calls `core`. */
  withVolumeCount(core: Core): Core {
    return {
      market: (row, out) => {
        this.#addVolume(row);
        core.market(row, out);
      },
      step: (event, out) => core.step(event, out),
    };
  }

  /** Call this before the run starts. The run trades nothing until the first selection, `every_s` after the start. */
  begin(run: Run): void {
    for (const { info } of this.#options.state.markets) run.submit({ type: 'marketRemoved', market: info.market });
    this.#schedule(run);
  }

  close(): void {
    this.#cancel();
  }

  #schedule(run: Run): void {
    const { clock, rules } = this.#options;
    this.#cancel = clock.schedule(timeAfter(clock.now(), rules.every_s * 1_000), () => {
      this.#schedule(run);
      this.#select(run);
    });
  }

  #select(run: Run): void {
    const { rules, clock, state, assignments } = this.#options;
    const candidates = state.markets.flatMap((market) => this.#toCandidates(market));
    const marketsById = new Map(state.markets.map(({ info }) => [String(info.id), info.market]));
    const traded = new Set([...marketsById].flatMap(([id, market]) => (this.#traded.has(market) ? [id] : [])));
    const { enter, leave } = computeSelectionChange(candidates, traded, rules, clock.now());
    for (const { market } of leave) {
      const left = marketsById.get(market.id);
      if (left === undefined) continue;
      this.#traded.delete(left);
      run.submit({ type: 'marketRemoved', market: left });
    }
    for (const { id } of enter) {
      const entered = marketsById.get(id);
      if (entered === undefined) continue;
      const { info, limits, state: current } = state.market(entered);
      this.#traded.add(entered);
      const instances = assignments
        .filter(({ markets }) => markets.includes(entered))
        .map(({ bot, strategy, params }) => ({ bot, strategy, params }));
      run.submit({ type: 'marketAdded', info, limits, state: current, bots: instances });
    }
  }

  #toCandidates({ info, state, book }: TradedMarket): readonly MarketCandidate[] {
    const volume = this.#volumes.get(info.market);
    if (volume === undefined) return [];
    const label = this.#options.labels[info.market];
    return [
      {
        id: String(info.id),
        slug: info.slug,
        isOpen: state.status === 'OPEN',
        acceptsOrders: state.acceptingOrders,
        category: label?.category,
        tags: label?.tags ?? [],
        volume,
        spreadBps: book.spread(),
        resolvesAt: info.scheduledResolution,
      },
    ];
  }

  /** Adds the trades of the message at the cursor, valued at their YES price. */
  #addVolume({ block, row: first }: Cursor): void {
    const { market, kind, price, shares, flags, count } = block;
    for (let row = first; row < count; row += 1) {
      const number = market[row] ?? 0;
      const value = kind[row] === KIND.trade ? Math.floor(((price[row] ?? 0) * (shares[row] ?? 0)) / FULL_BPS) : 0;
      this.#volumes.set(number, (this.#volumes.get(number) ?? 0) + value);
      if (((flags[row] ?? 0) & FLAG.last) !== 0) return;
    }
  }
}
