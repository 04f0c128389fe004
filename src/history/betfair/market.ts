import { InputFault } from '../../domain/index.ts';
import { BLOCK_ROWS, type BlockWriter } from '../../tape/index.ts';
import type { MarketChange, MarketDefinition } from './message.ts';
import { OutcomeTape, type RunnerUpdate, type TapePlan } from './outcome-tape.ts';
import type { RunnerBook } from './runner-book.ts';

/** Maximum number of entries in a message, each with at most one row. The rest of a block is for clearing levels. */
const MAX_ENTRIES = BLOCK_ROWS / 2;

/** Merges a message's changes of one market, except an image, the change after an image and a second definition. */
export function mergeByMarket(changes: readonly MarketChange[]): readonly MarketChange[] {
  const merged: MarketChange[] = [];
  for (const change of changes) {
    const at = merged.findLastIndex(({ id }) => id === change.id);
    const previous = merged[at];
    const isSeparate =
      change.img === true ||
      previous?.img === true ||
      (previous?.marketDefinition !== undefined && change.marketDefinition !== undefined);
    if (previous === undefined || isSeparate) merged.push(change);
    else {
      merged[at] = {
        ...previous,
        con: previous.con === true || change.con === true,
        marketDefinition: previous.marketDefinition ?? change.marketDefinition,
        rc: [...(previous.rc ?? []), ...(change.rc ?? [])],
      };
    }
  }
  return merged;
}

/** One market of a recording: its runners and their tapes. */
export class BetfairMarket {
  readonly id: string;
  readonly tapes: OutcomeTape[] = [];
  readonly #runners = new Map<number, { readonly book: RunnerBook; readonly tape: OutcomeTape }>();
  readonly #openWriter: (plan: TapePlan) => BlockWriter;
  readonly #merge: boolean;
  #isDefined = false;

  /** @param merge whether the runners of a two-runner market share one tape */
  constructor(id: string, openWriter: (plan: TapePlan) => BlockWriter, merge = true) {
    this.id = id;
    this.#openWriter = openWriter;
    this.#merge = merge;
  }

  /**
   * Applies one message's change of this market.
   * @param number number of the message in the recording, from 0
   * @throws InputFault for an undefined market or runner, a new runner of a merged market, or too many entries
   */
  apply(change: MarketChange, number: number, publishedAt: number): void {
    if (change.marketDefinition !== undefined) this.#createTapes(change.marketDefinition);
    const isImage = change.img === true;
    if (isImage) for (const { book } of this.#runners.values()) book.clear();
    const updates = [...Map.groupBy(change.rc ?? [], ({ id }) => id)].map(
      ([id, changes]): RunnerUpdate & { readonly tape: OutcomeTape } => {
        const known = this.#runners.get(id);
        if (known === undefined) {
          throw this.#isDefined
            ? new InputFault(`market ${this.id}, runner`, id, 'a runner of the marketDefinition')
            : new InputFault(
                `market ${this.id}`,
                'runner changes',
                'a marketDefinition first (record with EX_MARKET_DEF)',
              );
        }
        const { book, tape } = known;
        return { tape, runner: book, changes, increments: changes.flatMap(({ trd }) => book.setTotals(trd ?? [])) };
      },
    );
    const fields = (change.rc ?? []).flatMap(({ atb, atl, bdatb, bdatl, trd }) => [atb, atl, bdatb, bdatl, trd]);
    const entries = fields.reduce((sum, field) => sum + (field?.length ?? 0), 0);
    if (entries > MAX_ENTRIES)
      throw new InputFault(`market ${this.id}, entries`, entries, `at most ${MAX_ENTRIES} in a message`);
    const isRevaluation = updates.some(({ increments }) => increments.some(({ pence }) => pence < 0));
    for (const tape of this.tapes) {
      tape.apply({
        number,
        publishedAt,
        isImage,
        isConflated: change.con === true,
        isRevaluation,
        definition: change.marketDefinition,
        runners: updates.filter((update) => update.tape === tape),
      });
    }
  }

  /** Creates the tapes. Only markets with two runners and one winner merge. YES is the first runner of the list. */
  #createTapes(definition: MarketDefinition): void {
    const listed = [...definition.runners].sort((a, b) => a.sortPriority - b.sortPriority);
    const [yes, no] = listed;
    const isMerged = !this.#isDefined && this.#merge && listed.length === 2 && definition.numberOfWinners === 1;
    if (isMerged && yes !== undefined && no !== undefined) this.#addTape(definition, yes.id, no.id);
    for (const { id } of listed) if (!this.#runners.has(id)) this.#addTape(definition, id, undefined);
    this.#isDefined = true;
  }

  #addTape(definition: MarketDefinition, yes: number, no: number | undefined): void {
    if (this.tapes.some(({ runners }) => runners.length === 2))
      throw new InputFault(`market ${this.id}, runner`, yes, 'one of the two runners with which the market began');
    const plan = { market: this.id, yes, no, definition };
    const tape = new OutcomeTape(plan, this.#openWriter(plan));
    this.tapes.push(tape);
    for (const book of tape.runners) this.#runners.set(book.id, { book, tape });
  }
}
