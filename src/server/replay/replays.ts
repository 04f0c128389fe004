import { FileFault, FULL_BPS, formatTime, InputFault, unchecked } from '../../domain/index.ts';
import { ResolutionCheckFeed, TapeMessageReader } from '../../replay/index.ts';
import { BLOCK_ROWS, CANCELLED_PAYOUT, KIND, makeBlock } from '../../tape/index.ts';
import { PlacingDelays } from './placing-delays.ts';
import {
  followTape,
  getFollowingMarkets,
  type RecordedTape,
  type ReplayDeps,
  type ReplaySettings,
} from './recorded-markets.ts';
import { TapePlayer } from './tape-player.ts';

export interface ReplaysOptions extends ReplayDeps {
  readonly settings: readonly ReplaySettings[];
}

/** Call `prepare` before trading is possible, `start` when the server is ready, and `close` at the end. */
export class Replays {
  readonly delays: PlacingDelays;
  readonly #options: ReplaysOptions;
  readonly #players: TapePlayer[] = [];

  constructor(options: ReplaysOptions) {
    this.#options = options;
    this.delays = new PlacingDelays(options.clock, options.queue);
  }

  /**
   * Checks the tapes and makes their markets follow them. New markets begin at the configured position. Other markets
   * continue at their stored position.
   * @throws FileFault for an unusable tape; InputFault for a tape that does not belong to its market; Fault when the
   * exchange refuses
   */
  async prepare(): Promise<void> {
    const { settings, queue, log } = this.#options;
    const ids = new Set<string>();
    for (const replay of settings) {
      for (const { id, slug } of replay.tape.manifest.markets) {
        const expected = `a tape without the market ${slug}, which another tape contains`;
        if (ids.has(id)) throw new InputFault('replay', replay.tape.path, expected);
        ids.add(id);
      }
      checkTape(replay.tape);
      this.#players.push(await this.#makePlayer(replay));
    }
    for (const { id, following, status } of queue.view.markets) {
      if (following === undefined || ids.has(id) || status !== 'OPEN') continue;
      const problem = 'replay: the market does not change, because its tape is not replayed';
      log.warn({ market: id, tape: following.tape }, problem);
    }
  }

  start(): void {
    for (const player of this.#players) player.start();
  }

  close(): void {
    for (const player of this.#players) player.close();
    this.delays.close();
  }

  async #makePlayer(settings: ReplaySettings): Promise<TapePlayer> {
    const { tape, speed } = settings;
    const following = getFollowingMarkets(this.#options.queue, settings);
    const times = following.map((market) => market.following?.recordedAt ?? 0);
    const position = times.length === 0 ? settings.from : unchecked.time(Math.max(...times));
    const start = () => {
      const reader = new TapeMessageReader(tape.feed());
      try {
        const snapshots = reader.skipUntil(position);
        return { recordedAt: position, row: reader.row, snapshots };
      } finally {
        reader.close();
      }
    };
    const markets = [];
    for (const number of tape.manifest.markets.keys()) {
      const market = await followTape(this.#options, settings, number, start);
      this.delays.follow(market.id, speed);
      markets.push(market);
    }
    const reader = new TapeMessageReader(tape.feed());
    reader.skipRows(Math.min(...markets.map(({ following }) => following?.row ?? 0)));
    return new TapePlayer({ ...this.#options, settings, markets, reader, position });
  }
}

/** Possible payouts of a YES share (docs/spec/venue.md#market-states). */
const PAYOUTS: ReadonlySet<number> = new Set([0, FULL_BPS / 2, FULL_BPS, CANCELLED_PAYOUT]);

/** Reads the whole tape. @throws FileFault for a damaged tape, or for an event that cannot happen at the venue */
function checkTape({ path, manifest, feed }: RecordedTape): void {
  const rows = new ResolutionCheckFeed(feed(), path);
  const block = makeBlock(BLOCK_ROWS);
  try {
    for (let earlierRows = 0; rows.fill(block) > 0; earlierRows += block.count) {
      const { market, kind, price, tx } = block;
      for (let row = 0; row < block.count; row += 1) {
        const number = market[row] ?? 0;
        const createFault = (problem: string): FileFault => {
          const where = `row ${earlierRows + row}, ${formatTime(unchecked.time(tx[row] ?? 0))}`;
          return new FileFault(path, where, problem, 'Import or generate the tape again');
        };
        if (number >= manifest.markets.length) throw createFault(`there is no market ${number} in the manifest`);
        if (kind[row] === KIND.resolution && !PAYOUTS.has(price[row] ?? 0))
          throw createFault(`a YES share pays ${price[row]} bps, but a venue pays 0, 5000 or 10000`);
      }
    }
  } finally {
    rows.close();
  }
}
