/**
 * Which strategies are on which markets, with what parameters: what the run was set up with, and what operators changed
 * since. Folded from events alone, so that a restart comes to the same list.
 */
import type { AddedBot, BotNo, InputEvent, MarketNo, MarketRemoved } from '../domain/index.ts';

/** A strategy at work. */
export interface RosterEntry {
  readonly bot: BotNo;
  /** The strategy's name. */
  readonly strategy: string;
  /** All of its parameters as it was set up with them: an object in JSON. */
  readonly params: string;
  /** Parameters that were changed at run time, by name; JSON each. */
  readonly changed: Readonly<Record<string, string>>;
  /** The markets it is on; none once they were removed. */
  readonly markets: readonly MarketNo[];
  /** The markets it was on that an operator removed and nobody has added since; left out where there is none. */
  readonly removed?: readonly MarketNo[];
}

export class Roster {
  readonly #entries: RosterEntry[];

  /** @throws RangeError when a bot's number is not its place in the list */
  constructor(entries: readonly RosterEntry[] = []) {
    for (const [place, { bot, strategy }] of entries.entries()) {
      if (bot !== place) throw new RangeError(`Invariant: bot ${bot} ("${strategy}") stands at place ${place}`);
    }
    this.#entries = [...entries];
  }

  /** In the order of their numbers; a copy, plain data. */
  get entries(): readonly RosterEntry[] {
    return [...this.#entries];
  }

  of(bot: BotNo): RosterEntry | undefined {
    return this.#entries[bot];
  }

  /** Takes in what changes the list; anything else is nothing to it. */
  fold(event: InputEvent): void {
    switch (event.type) {
      case 'parameterSet':
        this.#change(event.bot, (entry) => ({
          ...entry,
          changed: { ...entry.changed, [event.name]: event.value },
        }));
        return;
      case 'marketAdded':
        for (const added of event.bots) this.#add(added, event.info.market);
        return;
      case 'marketRemoved':
        for (const { bot, markets } of this.#entries) {
          if (markets.includes(event.market)) this.#change(bot, (entry) => without(entry, event));
        }
        return;
      default:
        return;
    }
  }

  /** A market that comes back has its bots again, under their numbers, made as the event says. */
  #add({ bot, strategy, params }: AddedBot, market: MarketNo): void {
    if (bot > this.#entries.length) throw new RangeError(`Invariant: bot ${bot} follows ${this.#entries.length - 1}`);
    for (const [place, { removed, ...entry }] of this.#entries.entries()) {
      const left = removed?.filter((each) => each !== market) ?? [];
      this.#entries[place] = left.length === 0 ? entry : { ...entry, removed: left };
    }
    this.#entries[bot] = { bot, strategy, params, changed: {}, markets: [market] };
  }

  #change(bot: BotNo, change: (entry: RosterEntry) => RosterEntry): void {
    const entry = this.#entries[bot];
    if (entry !== undefined) this.#entries[bot] = change(entry);
  }
}

function without(entry: RosterEntry, { market, byOperator }: MarketRemoved): RosterEntry {
  const markets = entry.markets.filter((each) => each !== market);
  return byOperator === true
    ? { ...entry, markets, removed: [...(entry.removed ?? []), market] }
    : { ...entry, markets };
}

/** All parameters of an entry as an object, the changed ones in their places. */
export function paramsOf({ params, changed }: RosterEntry): Readonly<Record<string, unknown>> {
  const all: Record<string, unknown> = JSON.parse(params);
  for (const [name, value] of Object.entries(changed)) all[name] = JSON.parse(value);
  return all;
}
