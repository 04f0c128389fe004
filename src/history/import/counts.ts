/**
 * What an import read, wrote, changed and dropped, with the first places of each reason.
 *
 * Invariant, checked by `reconcile`: traded shares read = shares printed + shares dropped by reason + what rounding down to
 * lots took, to the micro-share.
 */
import { z } from 'zod';
import { LOT, SHARE } from '../../domain/index.ts';
import { SIDE } from '../../tape/index.ts';

/** Places that are kept for each reason. */
const MAX_PLACES = 5;

/** How often something happened, how many traded shares it concerned, and where it happened first. */
export interface Tally {
  count: number;
  /** Traded micro-shares; 0 for levels. */
  readonly shares: ShareTotal;
  /** `file:line` or `file:row`, at most five. */
  readonly places: string[];
}

/** A sum of micro-shares that may pass 2^53. */
class ShareTotal {
  #small = 0;
  #large: bigint;

  /** @param shares with six decimals, as `toString` writes them */
  constructor(shares = '0.000000') {
    this.#large = BigInt(shares.replace('.', ''));
  }

  add(microShares: number): void {
    this.#small += microShares;
    if (this.#small <= Number.MAX_SAFE_INTEGER / 2) return;
    this.#large += BigInt(this.#small);
    this.#small = 0;
  }

  get micros(): bigint {
    return this.#large + BigInt(this.#small);
  }

  /** Shares with six decimals. */
  toString(): string {
    const { micros } = this;
    const shares = BigInt(SHARE);
    return `${micros / shares}.${String(micros % shares).padStart(6, '0')}`;
  }
}

/** The counts as JSON holds them. */
export type SavedCounts = z.output<typeof savedCounts>;

const tally = z.array(
  z.object({ reason: z.string(), count: z.number(), shares: z.string(), places: z.array(z.string()) }),
);

export const savedCounts = z.object({
  records: z.number(),
  messages: z.number(),
  rows: z.number(),
  trades: z.object({
    read: z.number(),
    shares: z.string(),
    prints: z.number(),
    printed: z.string(),
    rounded: z.string(),
    buys: z.number(),
    sells: z.number(),
    unknown: z.number(),
    paired: z.number(),
  }),
  inferred: z.object({ prints: z.number(), shares: z.string(), unexplained: z.number() }),
  dropped: tally,
  changed: tally,
  zones: z.array(z.string()),
});

export class ImportCounts {
  /** Rows or messages of the source. */
  records = 0;
  /** Messages that left at least one row on the tape. */
  messages = 0;
  /** Rows on the tape. */
  rows = 0;
  readonly trades = {
    read: 0,
    shares: new ShareTotal(),
    prints: 0,
    printed: new ShareTotal(),
    /** Below one lot, of prints that are on the tape. */
    rounded: new ShareTotal(),
    buys: 0,
    sells: 0,
    unknown: 0,
    /** Moved before the level that they explain, which came up to `pairWindowMs` earlier. */
    paired: 0,
  };
  /** Prints that repeated full books show, and falls of a best level that they do not explain. */
  readonly inferred = { prints: 0, shares: new ShareTotal(), unexplained: 0 };
  /** What is not on the tape, by reason. */
  readonly dropped = new Map<string, Tally>();
  /** What is on the tape in a changed form, by reason. */
  readonly changed = new Map<string, Tally>();
  /** Time zones that times name, in the order in which they appear. */
  readonly zones = new Set<string>();
  #file = '';
  #line = 0;

  /** Where the record in work stands, for places. */
  at(file: string, line: number): void {
    this.#file = file;
    this.#line = line;
  }

  get place(): string {
    return `${this.#file}:${this.#line}`;
  }

  /** What a saved import has counted, instead of what this one has. */
  restore(saved: SavedCounts): void {
    this.records = saved.records;
    this.messages = saved.messages;
    this.rows = saved.rows;
    const { shares, printed, rounded, ...trades } = saved.trades;
    Object.assign(this.trades, trades, {
      shares: new ShareTotal(shares),
      printed: new ShareTotal(printed),
      rounded: new ShareTotal(rounded),
    });
    Object.assign(this.inferred, saved.inferred, { shares: new ShareTotal(saved.inferred.shares) });
    for (const name of ['dropped', 'changed'] as const) {
      this[name].clear();
      for (const { reason, count, shares: lost, places } of saved[name]) {
        this[name].set(reason, { count, shares: new ShareTotal(lost), places });
      }
    }
    this.zones.clear();
    for (const zone of saved.zones) this.zones.add(zone);
  }

  /** @param microShares traded shares that are lost with it */
  drop(reason: string, microShares = 0): void {
    this.#tally(this.dropped, reason, microShares);
  }

  /** A trade is on the tape. @param rounded micro-shares below a lot that are not */
  print(taker: number, printed: number, rounded: number): void {
    const { trades } = this;
    trades.prints += 1;
    trades.printed.add(printed);
    trades.rounded.add(rounded);
    trades[taker === SIDE.bid ? 'buys' : taker === SIDE.ask ? 'sells' : 'unknown'] += 1;
  }

  change(reason: string): void {
    this.#tally(this.changed, reason, 0);
  }

  /** @throws Error when traded shares are lost or invented */
  reconcile(): void {
    const { trades } = this;
    let lost = 0n;
    for (const { shares } of this.dropped.values()) lost += shares.micros;
    const left = trades.shares.micros - trades.printed.micros - trades.rounded.micros - lost;
    const most = BigInt(LOT) * BigInt(trades.prints);
    if (left === 0n && (trades.rounded.micros < most || trades.prints === 0)) return;
    throw new Error(
      `Invariant: ${trades.shares} shares in ${trades.read} trades do not add up to ${trades.printed} in ${trades.prints} prints, ` +
        `${lost} micro-shares dropped and ${trades.rounded} rounded off`,
    );
  }

  /** Plain values, for `--json` and `restore`. Shares have six decimals. */
  toJSON(): SavedCounts {
    const { records, messages, rows, trades, inferred } = this;
    return {
      records,
      messages,
      rows,
      trades: { ...trades, shares: `${trades.shares}`, printed: `${trades.printed}`, rounded: `${trades.rounded}` },
      inferred: { ...inferred, shares: `${inferred.shares}` },
      dropped: tallies(this.dropped),
      changed: tallies(this.changed),
      zones: [...this.zones],
    };
  }

  #tally(of: Map<string, Tally>, reason: string, microShares: number): void {
    let tally = of.get(reason);
    if (tally === undefined) {
      tally = { count: 0, shares: new ShareTotal(), places: [] };
      of.set(reason, tally);
    }
    tally.count += 1;
    tally.shares.add(microShares);
    if (tally.places.length < MAX_PLACES) tally.places.push(this.place);
  }
}

function tallies(of: ReadonlyMap<string, Tally>): SavedCounts['dropped'] {
  return [...of].map(([reason, { count, shares, places }]) => ({ reason, count, shares: `${shares}`, places }));
}
