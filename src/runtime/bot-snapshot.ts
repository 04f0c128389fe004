import type { OrderNo, Seq } from '../domain/index.ts';
import type { RiskSnapshot } from '../risk/index.ts';
import type { AccountSnapshot } from '../state/index.ts';
import type { StrategyAssignment } from './strategy-registry.ts';

/** All of a bot process after a step, for a restart: plain data, so that JSON keeps it. */
export interface BotSnapshot {
  /** The last step that is in it; 0 before the first. */
  readonly seq: Seq | 0;
  /** Market rows taken in so far. */
  readonly rows: number;
  /** The number that the next order will get. */
  readonly nextOrder: OrderNo;
  readonly account: AccountSnapshot;
  readonly risk: RiskSnapshot;
  readonly roster: readonly StrategyAssignment[];
}
