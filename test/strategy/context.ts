/** The context that a strategy's `create` receives. */
import { seededRandom } from '../../src/clock/index.ts';
import { type MarketInfo, unchecked } from '../../src/domain/index.ts';
import { SILENT_LOG } from '../../src/runtime/strategy-log.ts';
import type { StrategyContext } from '../../src/strategy/index.ts';
import { marketView } from './market-view.ts';

export function contextOf(markets: readonly MarketInfo[] = [marketView().info]): StrategyContext<undefined> {
  return {
    bot: unchecked.instance(0),
    random: seededRandom(1),
    markets,
    log: SILENT_LOG,
    state: { get: () => undefined, set: () => {} },
    timers: { set: () => {}, clear: () => {} },
  };
}
