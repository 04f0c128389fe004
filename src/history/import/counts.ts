/**
 * Counts what an import read, wrote, changed and dropped, with the first places of each reason.
 *
 * Invariant, checked by `reconcile`: shares of trades read = shares printed + shares dropped + shares lost by rounding
 * down to lots. The sum is exact to the micro-share.
 */
import { z } from 'zod';
import { LOT, SHARE } from '../../domain/index.ts';
import { SIDE } from '../../tape/index.ts';

const MAX_PLACES = 5;

export interface Tally {
  count: number;
  /** Traded micro-shares; 0 for levels. */
  readonly shares: ShareTotal;
  /** The first `MAX_PLACES` places, as `file:line` or `file:row`. */
  readonly places: string[];
}

/** A sum of micro-shares that may exceed 2^53. @public because the package's type declarations contain it */
export class ShareTotal {
  #small = 0;
  #large: bigint;

  /** @param shares a result of `toString` */
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

const shareTotal = z.codec(z.string().regex(/^\d+\.\d{6}$/), z.instanceof(ShareTotal), {
  decode: (shares) => new ShareTotal(shares),
  encode: (total) => `${total}`,
});
const tallies = z.codec(
  z.array(z.object({ reason: z.string(), count: z.number(), shares: shareTotal, places: z.array(z.string()) })),
  z.instanceof<typeof Map<string, Tally>>(Map),
  {
    decode: (list) => new Map(list.map(({ reason, ...tally }) => [reason, tally])),
    encode: (map) => [...map].map(([reason, tally]) => ({ reason, ...tally })),
  },
);

/** The counts as JSON, for `--json` and saved imports. Shares have six decimals. */
export const savedCounts = z.object({
  records: z.number(),
  messages: z.number(),
  rows: z.number(),
  trades: z.object({
    read: z.number(),
    shares: shareTotal,
    prints: z.number(),
    printed: shareTotal,
    rounded: shareTotal,
    buys: z.number(),
    sells: z.number(),
    unknown: z.number(),
    paired: z.number(),
  }),
  inferred: z.object({ prints: z.number(), shares: shareTotal, unexplained: z.number() }),
  dropped: tallies,
  changed: tallies,
  zones: z.codec(z.array(z.string()), z.instanceof<typeof Set<string>>(Set), {
    decode: (zones) => new Set(zones),
    encode: (zones) => [...zones],
  }),
});

export class ImportCounts {
  /** Rows or messages of the source. */
  records = 0;
  /** Messages with at least one row on the tape. */
  messages = 0;
  rows = 0;
  readonly trades = {
    read: 0,
    shares: new ShareTotal(),
    prints: 0,
    printed: new ShareTotal(),
    /** Shares that the prints on the tape lost by rounding down to lots. */
    rounded: new ShareTotal(),
    buys: 0,
    sells: 0,
    unknown: 0,
    /** Prints that moved before the level decrease that they explain. */
    paired: 0,
  };
  /** Prints inferred from repeated full books. `unexplained` counts best levels that decreased without a print. */
  readonly inferred = { prints: 0, shares: new ShareTotal(), unexplained: 0 };
  /** Input that is not on the tape, by reason. */
  readonly dropped = new Map<string, Tally>();
  /** Input that is changed on the tape, by reason. */
  readonly changed = new Map<string, Tally>();
  readonly zones = new Set<string>();
  #file = '';
  #line = 0;

  setPlace(file: string, line: number): void {
    this.#file = file;
    this.#line = line;
  }

  get place(): string {
    return `${this.#file}:${this.#line}`;
  }

  restore(saved: z.output<typeof savedCounts>): void {
    Object.assign(this, saved);
  }

  /** @param microShares micro-shares of a dropped trade */
  countDropped(reason: string, microShares = 0): void {
    this.#tally(this.dropped, reason, microShares);
  }

  /** Counts a print on the tape. @param rounded micro-shares lost by rounding down to lots */
  countPrint(taker: number, printed: number, rounded: number): void {
    const { trades } = this;
    trades.prints += 1;
    trades.printed.add(printed);
    trades.rounded.add(rounded);
    trades[taker === SIDE.bid ? 'buys' : taker === SIDE.ask ? 'sells' : 'unknown'] += 1;
  }

  countChanged(reason: string): void {
    this.#tally(this.changed, reason, 0);
  }

  /** @throws Error when the shares of trades do not add up */
  reconcile(): void {
    const { trades } = this;
    let lost = 0n;
    for (const { shares } of this.dropped.values()) lost += shares.micros;
    const difference = trades.shares.micros - trades.printed.micros - trades.rounded.micros - lost;
    const maxRounded = BigInt(LOT) * BigInt(trades.prints);
    if (difference === 0n && (trades.rounded.micros < maxRounded || trades.prints === 0)) return;
    throw new Error(
      `Invariant: ${trades.shares} shares in ${trades.read} trades do not add up to ${trades.printed} in ${trades.prints} prints, ` +
        `${lost} micro-shares dropped and ${trades.rounded} rounded off`,
    );
  }

  toJSON(): z.input<typeof savedCounts> {
    return z.encode(savedCounts, this);
  }

  #tally(tallies: Map<string, Tally>, reason: string, microShares: number): void {
    const tally = tallies.get(reason) ?? { count: 0, shares: new ShareTotal(), places: [] };
    tallies.set(reason, tally);
    tally.count += 1;
    tally.shares.add(microShares);
    if (tally.places.length < MAX_PLACES) tally.places.push(this.place);
  }
}
