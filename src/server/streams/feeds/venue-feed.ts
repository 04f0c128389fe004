/** `venueStatusChanged`: mode and configuration, present values first. */
import type { Feed, Opened } from '../feed.ts';
import type { FeedPorts } from '../options.ts';
import type { Subscription } from '../subscription.ts';
import { Topic } from '../topic.ts';
import type { Touched } from '../touched.ts';

export class VenueFeed implements Feed {
  readonly #ports: FeedPorts;
  readonly #touched: Touched;
  readonly #topic: Topic;

  constructor(ports: FeedPorts, touched: Touched) {
    this.#ports = ports;
    this.#touched = touched;
    this.#topic = new Topic(ports.clock);
  }

  open(subscription: Subscription): Opened {
    subscription.slow = { kind: 'newest' };
    this.#topic.join(subscription);
    this.#topic.tellOne(subscription, this.#status());
    return () => this.#topic.leave(subscription);
  }

  onTurnEnd(): void {
    if (this.#touched.venue) this.tell();
  }

  /** Something changed that the engine does not know of: the operator's notice. */
  tell(): void {
    if (!this.#topic.isEmpty) this.#topic.tell(this.#status());
  }

  #status() {
    const { queue, shows, clock } = this.#ports;
    const { message = null, nextRestartAt = null } = shows.notice() ?? {};
    return {
      mode: queue.view.mode,
      bettingConfig: shows.bettingConfig(),
      marketConfig: shows.marketConfig(),
      message,
      nextRestartAt,
      at: clock.now(),
    };
  }
}
