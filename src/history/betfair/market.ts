import { InputFault } from '../../domain/index.ts';
import { BLOCK_ROWS, type BlockWriter } from '../../tape/index.ts';
import type { MarketChange, MarketDefinition, RunnerChange } from './message.ts';
import { OutcomeTape, type RunnerUpdate, type TapePlan } from './outcome-tape.ts';
import type { RunnerBook } from './runner-book.ts';

/** Each becomes a row at most, beside the ten best levels that a row of positions takes away. */
const MAX_ENTRIES = BLOCK_ROWS / 2;

/** The changes of one message, each market once; an image or a second definition stays apart. */
export function byMarket(changes: readonly MarketChange[]): readonly MarketChange[] {
  const all: MarketChange[] = [];
  for (const change of changes) {
    const at = all.findLastIndex(({ id }) => id === change.id);
    const before = all[at];
    const isApart =
      change.img === true || (before?.marketDefinition !== undefined && change.marketDefinition !== undefined);
    if (before === undefined || isApart) all.push(change);
    else {
      all[at] = {
        ...before,
        con: before.con === true || change.con === true,
        marketDefinition: before.marketDefinition ?? change.marketDefinition,
        rc: [...(before.rc ?? []), ...(change.rc ?? [])],
      };
    }
  }
  return all;
}

/** All that a message says about each runner, whose levels and trades may come in changes of their own. */
function byRunner(changes: readonly RunnerChange[]): ReadonlyMap<number, readonly RunnerChange[]> {
  const runners = new Map<number, RunnerChange[]>();
  for (const change of changes) {
    const known = runners.get(change.id);
    if (known === undefined) runners.set(change.id, [change]);
    else known.push(change);
  }
  return runners;
}

/** One market of a recording: its runners, and the tapes that they go to. */
export class BetfairMarket {
  readonly id: string;
  readonly tapes: OutcomeTape[] = [];
  readonly #runners = new Map<number, { readonly book: RunnerBook; readonly tape: OutcomeTape }>();
  readonly #open: (plan: TapePlan) => BlockWriter;
  readonly #merge: boolean;
  #defined = false;

  /**
   * @param open makes the place where a tape's rows go
   * @param merge false gives each runner of a two-runner market a tape of its own, to compare
   */
  constructor(id: string, open: (plan: TapePlan) => BlockWriter, merge = true) {
    this.id = id;
    this.#open = open;
    this.#merge = merge;
  }

  /** The runner's books; undefined when it has never been defined. */
  runner(id: number): RunnerBook | undefined {
    return this.#runners.get(id)?.book;
  }

  /**
   * Applies one message's change of this market.
   * @param number of the message in the recording, from 0
   * @throws InputFault when it names a runner or market that was never defined
   */
  apply(change: MarketChange, number: number, publishedAt: number): void {
    if (change.marketDefinition !== undefined) this.#define(change.marketDefinition);
    const image = change.img === true;
    if (image) for (const { book } of this.#runners.values()) book.clear();
    const news = [...byRunner(change.rc ?? [])].map(([id, changes]): RunnerUpdate & { readonly tape: OutcomeTape } => {
      const known = this.#runners.get(id);
      if (known === undefined) throw this.#unknown(id);
      const { book, tape } = known;
      book.lastTradedOdds = changes.findLast(({ ltp }) => ltp !== undefined)?.ltp ?? book.lastTradedOdds;
      return { tape, runner: book, changes, increments: changes.flatMap(({ trd }) => book.trade(trd ?? [])) };
    });
    const rows = (change.rc ?? []).reduce((sum, { atb, atl, bdatb, bdatl, trd }) => {
      return [atb, atl, bdatb, bdatl, trd].reduce((entries, field) => entries + (field?.length ?? 0), sum);
    }, 0);
    if (rows > MAX_ENTRIES)
      throw new InputFault(`market ${this.id}, entries`, rows, `at most ${MAX_ENTRIES} in a message`);
    const revaluation = news.some(({ increments }) => increments.some(({ pence }) => pence < 0));
    for (const tape of this.tapes) {
      tape.apply({
        number,
        publishedAt,
        image,
        conflated: change.con === true,
        revaluation,
        definition: change.marketDefinition,
        runners: news.filter((each) => each.tape === tape),
      });
    }
  }

  /** Only two-runner, one-winner markets merge; YES is the first runner in the market's list, whether it won or not. */
  #define(definition: MarketDefinition): void {
    const listed = [...definition.runners].sort((a, b) => a.sortPriority - b.sortPriority);
    const [yes, no] = listed;
    if (this.#defined) {
      for (const { id } of listed) if (!this.#runners.has(id)) this.#add(definition, id, undefined);
    } else if (
      this.#merge &&
      yes !== undefined &&
      no !== undefined &&
      listed.length === 2 &&
      definition.numberOfWinners === 1
    ) {
      this.#add(definition, yes.id, no.id);
    } else for (const { id } of listed) this.#add(definition, id, undefined);
    this.#defined = true;
  }

  #add(definition: MarketDefinition, yes: number, no: number | undefined): void {
    if (this.tapes.some(({ runners }) => runners.length === 2)) {
      throw new InputFault(`market ${this.id}, runner`, yes, 'no third runner in a market that began with two');
    }
    const plan = { market: this.id, yes, no, definition };
    const tape = new OutcomeTape(plan, this.#open(plan));
    this.tapes.push(tape);
    for (const book of tape.runners) this.#runners.set(book.id, { book, tape });
  }

  #unknown(runner: number): InputFault {
    return this.#defined
      ? new InputFault(`market ${this.id}, runner`, runner, 'a runner of the marketDefinition')
      : new InputFault(`market ${this.id}`, 'runner changes', 'a marketDefinition first (record with EX_MARKET_DEF)');
  }
}
