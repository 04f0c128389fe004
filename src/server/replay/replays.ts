/** All tapes of a server. */
import type { Clock } from '../../clock/index.ts';
import { column, type EpochMs, InputFault } from '../../domain/index.ts';
import { TapeWalk } from '../../replay/index.ts';
import type { Catalogue } from '../catalogue.ts';
import type { CommandQueue } from '../command-queue.ts';
import type { Log } from '../graphql/context.ts';
import { checkTape } from './check-tape.ts';
import { PlacingDelays } from './placing-delays.ts';
import { followers, followTape } from './recorded-markets.ts';
import type { ReplaySettings } from './settings.ts';
import { TapePlayer } from './tape-player.ts';

export interface ReplaysOptions {
  readonly clock: Clock;
  readonly queue: CommandQueue;
  readonly catalogue: Catalogue;
  readonly log: Log;
  readonly settings: readonly ReplaySettings[];
}

/** `prepare` before trading is possible, `start` when everything is ready, then `close`. */
export class Replays {
  readonly delays: PlacingDelays;
  readonly #options: ReplaysOptions;
  readonly #players: TapePlayer[] = [];

  constructor(options: ReplaysOptions) {
    this.#options = options;
    this.delays = new PlacingDelays(options.clock, options.queue);
  }

  /**
   * Checks the tapes and attaches their markets: new markets from the configured position, others from their current
   * position.
   * @throws FileFault for a tape that cannot be played, InputFault for one that does not belong to its market, Fault as
   * the exchange refuses
   */
  async prepare(): Promise<void> {
    const { settings, queue, log } = this.#options;
    const ids = new Set<string>();
    for (const each of settings) {
      for (const { id, slug } of each.tape.manifest.markets) {
        if (ids.has(id))
          throw new InputFault('replay', each.tape.path, `a tape without the market ${slug}, which is there already`);
        ids.add(id);
      }
      checkTape(each.tape);
      this.#players.push(await this.#player(each));
    }
    for (const { id, following, status } of queue.view.markets) {
      if (following === undefined || ids.has(id) || status !== 'OPEN') continue;
      log.warn(
        { market: id, tape: following.tape },
        'replay: the market follows a tape that is not replayed: it does not change',
      );
    }
  }

  start(): void {
    for (const player of this.#players) player.start();
  }

  close(): void {
    for (const player of this.#players) player.close();
    this.delays.close();
  }

  async #player(settings: ReplaySettings): Promise<TapePlayer> {
    const { clock, queue, log } = this.#options;
    const { tape, speed } = settings;
    const standing = followers(queue, settings);
    const standsAt =
      standing.length === 0 ? settings.from : furthest(standing.map(({ following }) => following?.recordedAt ?? 0));
    const first = () => {
      const walk = new TapeWalk(tape.feed());
      try {
        const images = walk.passUntil(standsAt);
        return { recordedAt: standsAt, row: walk.row, images };
      } finally {
        walk.close();
      }
    };
    const markets = [];
    for (const no of tape.manifest.markets.keys()) {
      const market = await followTape(this.#options, settings, no, first);
      this.delays.follow(market.id, speed);
      markets.push(market);
    }
    const walk = new TapeWalk(tape.feed());
    walk.passRows(Math.min(...markets.map(({ following }) => following?.row ?? 0)));
    return new TapePlayer({ clock, queue, log, settings, markets, walk, standsAt });
  }
}

function furthest(times: readonly number[]): EpochMs {
  return column.time(Math.max(...times));
}
