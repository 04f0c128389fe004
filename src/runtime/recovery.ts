/** Rebuilds the bot's state from a store: restores its snapshot and applies the later steps, without strategies. */
import { StrategyTotals, type StrategyTotalsSnapshot } from '../analytics/index.ts';
import { type EpochMs, type OrderNo, type Seq, unchecked, type VenueEvent } from '../domain/index.ts';
import type { RiskSnapshot } from '../risk/index.ts';
import { type AccountSnapshot, AccountState } from '../state/index.ts';
import { type MissedFill, MissedFills } from './missed-fills.ts';
import { type OrderRecords, placedOrders, type Step } from './ports.ts';
import { type StrategyAssignment, StrategyAssignments } from './strategy-registry.ts';
import type { StoredState } from './strategy-states.ts';

/** Stored data of a bot that ran before. */
export interface StoredRun {
  readonly snapshot: BotSnapshot;
  /** Steps after the snapshot, in order. Numbers may be missing, because a store may skip steps that change nothing. */
  readonly steps: Iterable<Step>;
  /** The last stored risk state, which may be later than the last step. */
  readonly risk: RiskSnapshot;
}

/** State of the bot after the last step. */
export interface RecoveredBot {
  readonly state: AccountState;
  readonly risk: RiskSnapshot;
  readonly assignments: StrategyAssignments;
  /** Fills by strategy. */
  readonly totals: StrategyTotals;
  /** Fills that strategies have not received. */
  readonly missed: MissedFills;
  readonly nextOrder: OrderNo;
  /** Number of the next step. */
  readonly nextSeq: Seq;
  /** Number of market rows so far. */
  readonly rows: number;
  readonly appliedSteps: number;
}

/** @throws RangeError for an inconsistent snapshot or steps out of order */
export function recover({ snapshot, steps, risk }: StoredRun): RecoveredBot {
  const state = AccountState.restore(snapshot.account);
  const assignments = new StrategyAssignments(snapshot.roster, snapshot.states);
  const totals = new StrategyTotals(snapshot.totals);
  const missed = new MissedFills(snapshot.missed);
  let { rows, nextOrder }: { rows: number; nextOrder: number } = snapshot;
  let lastSeq: number = snapshot.seq;
  let appliedSteps = 0;
  for (const { seq, time, row, event, commands, states } of steps) {
    if (seq <= lastSeq) throw new RangeError(`Invariant: step ${seq} was read after step ${lastSeq}`);
    lastSeq = seq;
    appliedSteps += 1;
    rows = row;
    if (event !== undefined) {
      state.apply(event);
      assignments.apply(event);
      missed.apply(event, state);
      if (event.type === 'started') missed.take();
      if (event.type === 'orderFilled' || event.type === 'fillReversed') {
        const instance = state.findInstance(event.order);
        const name = instance === undefined ? undefined : assignments.find(instance)?.strategy;
        if (name !== undefined) totals.addFill(name, event);
      }
    }
    if (states !== undefined) assignments.states.apply(states, time);
    for (const command of commands) {
      state.applyCommand(command, time);
      for (const place of placedOrders(command)) nextOrder = Math.max(nextOrder, place.order + 1);
    }
  }
  missed.onProcessEnded();
  const nextSeq = unchecked.seq(lastSeq + 1);
  return {
    state,
    risk,
    assignments,
    totals,
    missed,
    nextOrder: unchecked.order(nextOrder),
    nextSeq,
    rows,
    appliedSteps,
  };
}

/**
 * Returns events that reject the commands that the previous process left open: orders that were never signed, and thus
 * never sent, and conversions without an answer. Apply the events before the reconciliation with the venue. The venue's
 * cash and holdings later show whether the conversions happened.
 */
export function rejectInterruptedCommands(
  state: AccountState,
  records: OrderRecords,
  time: EpochMs,
): readonly VenueEvent[] {
  const answer = { time, venueTime: time, reason: 'NOT_FOUND' } as const;
  const orders = state.markets.flatMap((market) => market.orders);
  const unsigned = orders.filter(({ order }) => records.findByNumber(order) === undefined);
  return [
    ...unsigned.map(({ order, market }): VenueEvent => ({ type: 'orderRejected', ...answer, order, market })),
    ...state.snapshot().conversions.map(({ type, bot, market }): VenueEvent => {
      return { type: 'conversionRejected', ...answer, conversion: type, bot, market };
    }),
  ];
}

/** State of a bot process after a step, for a restart. Plain data that survives JSON. */
export interface BotSnapshot {
  /** Number of the last applied step; 0 before the first step. */
  readonly seq: Seq | 0;
  /** Number of market rows so far. */
  readonly rows: number;
  readonly nextOrder: OrderNo;
  readonly account: AccountSnapshot;
  readonly risk: RiskSnapshot;
  readonly roster: readonly StrategyAssignment[];
  /** States that strategies saved; absent in snapshots of earlier versions. */
  readonly states?: readonly StoredState[];
  /** Fills by strategy; absent in snapshots of earlier versions. */
  readonly totals?: StrategyTotalsSnapshot;
  /** Fills that strategies have not received yet; absent while strategies run. */
  readonly missed?: readonly MissedFill[] | undefined;
}
