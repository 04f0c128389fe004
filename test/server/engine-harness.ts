/** An engine with a database and a simulated clock, for tests of code around the exchange. */
import { SimClock } from '../../src/clock/index.ts';
import { type EpochMs, epochMs, parseTime } from '../../src/domain/index.ts';
import { Catalogue } from '../../src/server/catalogue.ts';
import { type Engine, openEngine } from '../../src/server/engine.ts';
import { Operators } from '../../src/server/operators/operators.ts';
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
  /** Runs an operator's command. */
  operate(command: string, args?: object): Promise<unknown>;
  /** Advances the clock, runs due timers and waits for the work that they start. */
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
  const engine = openEngine({
    store,
    clock,
    log,
    quotePolicy: undefined,
    onStop: (cause) => logged.push({ stopped: String(cause) }),
  });
  const { queue, stateHash, transferKinds } = engine;
  const catalogue = new Catalogue(store.registry);
  const announcement = new VenueAnnouncement(store.registry);
  const operators = new Operators({
    queue,
    archive: store.archive,
    registry: store.registry,
    catalogue,
    announcement,
    transferKinds,
    stateHash,
    polymarket: undefined,
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
      await settle();
      while (clock.nextTime() <= until) {
        clock.runNext();
        await settle();
      }
      clock.advanceTo(until);
    },
    async close() {
      await queue.close();
      await store.close();
    },
  };
}

/** Creates a category and a market that is not open yet. @returns the market's id */
export async function createMarket(harness: EngineHarness, terms: object = {}): Promise<string> {
  await harness.operate('put-category', { slug: 'tests', name: 'Tests' });
  const created = await harness.operate('create-market', {
    question: 'Will it hold?',
    rules: 'As tested.',
    category: 'tests',
    resolution_date: '2026-01-02T00:00:00Z',
    ...terms,
  });
  if (typeof created === 'object' && created !== null && 'id' in created && typeof created.id === 'string')
    return created.id;
  throw new Error('create-market returned no id');
}

async function settle(): Promise<void> {
  for (let turn = 0; turn < 5; turn += 1) await new Promise((resolve) => setImmediate(resolve));
}
