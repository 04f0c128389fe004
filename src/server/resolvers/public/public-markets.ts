/** What stands over all markets: their orders, their objects, and how far everything is durable. */
import type { ExchangeView } from '../../../exchange/index.ts';
import type { CommandQueue } from '../../command-queue.ts';
import { MarketIndex } from './market-index.ts';
import { MarketShelf } from './market-shelf.ts';

/** One for a server, made after recovery and before the queue starts. */
export class PublicMarkets {
  readonly index: MarketIndex;
  readonly shelf: MarketShelf;
  #seq: number;
  #mode: ExchangeView['mode'];

  constructor(queue: Pick<CommandQueue, 'view' | 'watch'>) {
    const { view } = queue;
    this.index = new MarketIndex(view);
    this.shelf = new MarketShelf(view);
    this.#seq = view.seq;
    this.#mode = view.mode;
    queue.watch({
      onCommitted: (events) => this.index.onCommitted(events),
      onTurnEnd: () => {
        this.index.onTurnEnd();
        this.#seq = view.seq;
        this.#mode = view.mode;
      },
    });
  }

  /** Number of the last event that is durable and was told: known also in the midst of a turn. */
  get seq(): number {
    return this.#seq;
  }

  /** The mode as of that event. */
  get mode(): ExchangeView['mode'] {
    return this.#mode;
  }
}
