import type { Clock } from '../../clock/index.ts';
import type { ExchangeView, Journal, JournaledOptions, Registry, StateMachine } from '../../exchange/index.ts';

/** What a desk is made of. */
export interface DeskOptions
  extends Pick<JournaledOptions, 'snapshotEvery' | 'hashEvery' | 'maxTimeStep' | 'onSnapshotFault'> {
  /** After recovery. */
  readonly machine: StateMachine;
  /** Of the machine's exchange. */
  readonly view: ExchangeView;
  /** Ends where the machine is. */
  readonly journal: Journal;
  /** Of the same store as the journal: what is put goes with the next batch. */
  readonly registry: Pick<Registry, 'put'>;
  readonly clock: Clock;
  /** The exchange has stopped for good, once: the process is to end. */
  readonly onStop: (cause: unknown) => void;
  /** Tasks, and looks, that may wait for a turn; more are refused. Default 20,000. */
  readonly mostWaiting?: number;
}
