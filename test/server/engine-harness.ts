/** An engine on a database and a clock that is moved by hand: for rooms that stand outside the exchange. */
import { SimClock } from '../../src/clock/index.ts';
import { type EpochMs, epochMs, parseTime } from '../../src/domain/index.ts';
import { bySign } from '../../src/exchange/index.ts';
import { Catalogue } from '../../src/server/catalogue.ts';
import { type Engine, openEngine } from '../../src/server/engine.ts';
import { Operators } from '../../src/server/operators/operators.ts';
import { TransferNames } from '../../src/server/transfer-names.ts';
import { newUuid } from '../../src/server/uuid.ts';
import { VenueAnnouncement } from '../../src/server/venue-announcement.ts';
import { SqliteStore } from '../../src/store/index.ts';

export const START = parseTime('start', '2026-01-01T00:00:00Z');

export interface EngineHarness extends Engine {
  readonly clock: SimClock;
  readonly store: SqliteStore;
  readonly catalogue: Catalogue;
  readonly operators: Operators;
  readonly logged: readonly object[];
  readonly log: { info(fields: object, message: string): void; warn(): void; error(fields: object): void };
  /** An operator's command. */
  operate(command: string, args?: object): Promise<unknown>;
  /** Lets time pass: what is due happens, and what it starts is finished. */
  pass(ms: number): Promise<void>;
  close(): Promise<void>;
}

export function openEngineHarness(file = ':memory:', start: EpochMs = START): EngineHarness {
  const clock = new SimClock(epochMs(start));
  const store = SqliteStore.open({ file, thread: false });
  const logged: object[] = [];
  const log = {
    info: (fields: object) => void logged.push(fields),
    warn: () => {},
    error: (fields: object) => void logged.push(fields),
  };
  const transferNames = new TransferNames();
  const engine = openEngine({
    store,
    clock,
    log,
    quotePolicy: undefined,
    nameTransfer: transferNames.withFallback(bySign),
    onStop: (cause) => logged.push({ stopped: String(cause) }),
  });
  const { queue, stateHash } = engine;
  const catalogue = new Catalogue(store.registry);
  const announcement = new VenueAnnouncement(store.registry);
  const operators = new Operators({
    queue,
    archive: store.archive,
    registry: store.registry,
    catalogue,
    announcement,
    transferNames,
    stateHash,
    newId: newUuid,
  });
  queue.start();
  return {
    ...engine,
    clock,
    store,
    catalogue,
    operators,
    logged,
    log,
    operate: (command, args = {}) => operators.run({ command, ...args }, '127.0.0.1'),
    async pass(ms) {
      const until = epochMs(clock.now() + ms);
      await settled();
      while (clock.nextTime() <= until) {
        clock.runNext();
        await settled();
      }
      clock.advanceTo(until);
    },
    async close() {
      await queue.close();
      await store.close();
    },
  };
}

/** A category and a market of the operator's, which waits for its chain. @returns its id */
export async function withMarket(harness: EngineHarness, more: object = {}): Promise<string> {
  await harness.operate('put-category', { slug: 'tests', name: 'Tests' });
  const said = { question: 'Will it hold?', rules: 'As tested.', category: 'tests' };
  const made = await harness.operate('create-market', {
    ...said,
    resolution_date: '2026-01-02T00:00:00Z',
    ...more,
  });
  if (typeof made === 'object' && made !== null && 'id' in made && typeof made.id === 'string') return made.id;
  throw new Error('no market was made');
}

async function settled(): Promise<void> {
  for (let turn = 0; turn < 5; turn += 1) await new Promise((resolve) => setImmediate(resolve));
}
