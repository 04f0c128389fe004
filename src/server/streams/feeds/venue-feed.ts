/** `venueStatusChanged`: mode, configuration and announcement. The current values come first. */
import { presentBettingConfig, presentMarketConfig } from '../../presenters/market-presenter.ts';
import type { Feed, Opened } from '../feed.ts';
import type { FeedDeps } from '../options.ts';
import type { Subscription } from '../subscription.ts';
import { Topic } from '../topic.ts';
import type { TurnChanges } from '../turn-changes.ts';

export class VenueFeed implements Feed {
  readonly #deps: FeedDeps;
  readonly #changes: TurnChanges;
  readonly #topic: Topic;

  constructor(deps: FeedDeps, changes: TurnChanges) {
    this.#deps = deps;
    this.#changes = changes;
    this.#topic = new Topic(deps.clock);
  }

  open(subscription: Subscription): Opened {
    subscription.slow = { kind: 'newest' };
    this.#topic.join(subscription);
    this.#topic.sendTo(subscription, this.#status());
    return () => this.#topic.leave(subscription);
  }

  onTurnEnd(): void {
    if (this.#changes.venue) this.publish();
  }

  /** Publishes the current values. Also called when the announcement changes. */
  publish(): void {
    if (!this.#topic.isEmpty) this.#topic.publish(this.#status());
  }

  #status() {
    const { queue, betPresets, announcement, clock } = this.#deps;
    const { config, mode } = queue.view;
    const { message = null, nextRestartAt = null } = announcement() ?? {};
    return {
      mode,
      bettingConfig: presentBettingConfig(config, betPresets),
      marketConfig: presentMarketConfig(config),
      message,
      nextRestartAt,
      at: clock.now(),
    };
  }
}
