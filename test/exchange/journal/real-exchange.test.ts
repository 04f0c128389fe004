import { createHash } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type Fault, unchecked } from '../../../src/domain/index.ts';
import { Exchange } from '../../../src/exchange/engine/exchange.ts';
import type { ExchangeOptions } from '../../../src/exchange/engine/exchange-context.ts';
import { DurableExchange } from '../../../src/exchange/journal/durable-exchange.ts';
import { EventRecorder, type ExchangeEvent } from '../../../src/exchange/journal/event-recorder.ts';
import { type Recovery, recover } from '../../../src/exchange/journal/recover.ts';
import { runs } from '../../runs.ts';
import { move } from '../properties/moves.ts';
import { CONFIG, OPENING, runSequence } from '../properties/sequence.ts';
import { CallList } from '../twin/calls.ts';
import type { Call } from '../twin/world.ts';
import { ExchangeWithIdentities } from './exchange-with-identities.ts';
import { MemoryJournal } from './memory-journal.ts';

const options: ExchangeOptions = {
  config: CONFIG,
  sha256: (text) => createHash('sha256').update(text, 'utf8').digest('hex'),
};

function recovered(journal: MemoryJournal): Recovery<ExchangeWithIdentities> {
  return recover({
    journal,
    createNew: () => new ExchangeWithIdentities(options),
    restore: (reader) => ExchangeWithIdentities.restore(reader, options),
  });
}

function assertNoFault(fault: Fault | undefined): void {
  if (fault !== undefined) throw fault;
}

/** Returns the events that a recorder makes of sink calls. */
function eventsOf(calls: readonly Call[]): readonly ExchangeEvent[] {
  const recorder = new EventRecorder();
  for (const [name, ...values] of calls) Reflect.apply(recorder[name], recorder, values);
  return recorder.drain();
}

/** A journaled exchange that is recovered from its journal after every `commandsPerRun` commands. */
class RestartingExchange {
  readonly journal = new MemoryJournal();
  readonly #snapshotEvery: number;
  readonly #commandsPerRun: number;
  #commands = 0;
  #machine = new ExchangeWithIdentities(options);
  #exchange: DurableExchange;

  constructor(snapshotEvery: number, commandsPerRun: number) {
    this.#snapshotEvery = snapshotEvery;
    this.#commandsPerRun = commandsPerRun;
    this.#exchange = this.#journaled();
  }

  get machine(): ExchangeWithIdentities {
    return this.#machine;
  }

  apply(command: Parameters<Exchange['apply']>[0]): readonly ExchangeEvent[] {
    this.#commands += 1;
    if (this.#commands % this.#commandsPerRun === 0) {
      const hash = this.#machine.stateHash();
      this.#machine = recovered(this.journal).machine;
      expect(this.#machine.stateHash()).toBe(hash);
      this.#exchange = this.#journaled();
    }
    const { events } = this.#exchange.apply(command);
    this.#exchange.commit(assertNoFault);
    return events;
  }

  #journaled(): DurableExchange {
    const [machine, journal, snapshotEvery] = [this.#machine, this.journal, this.#snapshotEvery];
    return new DurableExchange({ machine, journal, snapshotEvery, hashEvery: 50 });
  }
}

describe('a journaled exchange', () => {
  it('has the same state after any commands and crashes as without crashes', () => {
    fc.assert(
      fc.property(
        fc.array(move, { minLength: 20, maxLength: 150, size: 'max' }),
        fc.constantFrom(0, 7, 40),
        fc.constantFrom(1, 13, 60),
        (moves, snapshotEvery, commandsPerRun) => {
          const reference = new Exchange(options);
          const restarting = new RestartingExchange(snapshotEvery, commandsPerRun);
          let [events, seq] = [0, 0];
          runSequence(moves, {
            execute(command) {
              const list = new CallList();
              reference.apply(command, list);
              const calls = list.calls;
              expect(restarting.apply(command)).toEqual(eventsOf(calls));
              if (reference.view.seq > seq) events += 1;
              seq = reference.view.seq;
              return calls;
            },
            tickOf: (market) => reference.view.market(unchecked.market(market))?.tickBps,
          });
          expect(restarting.machine.exchange.stateHash()).toBe(reference.stateHash());
          // Commands without events leave no record.
          expect(restarting.journal.last).toBe(events);
          const recovery = recovered(restarting.journal);
          expect(recovery.machine.exchange.stateHash()).toBe(reference.stateHash());
          expect(recovery.notes).toEqual([]);
        },
      ),
      { numRuns: runs(60) },
    );
  });

  it('recognises known signed orders after a snapshot', () => {
    const journal = new MemoryJournal();
    const machine = new ExchangeWithIdentities(options);
    const exchange = new DurableExchange({ machine, journal });
    const send = (to: DurableExchange, command: object): readonly ExchangeEvent[] => {
      const { events } = to.apply(command as never);
      to.commit(assertNoFault);
      return events;
    };
    send(exchange, { type: 'tick', time: 1 });
    const time = 1_795_000_000_000;
    send(exchange, { type: 'openAccount', time, address: '0xaa', unlimited: true });
    const market = {
      type: 'createMarket',
      time,
      account: 1,
      credential: 0,
      question: 'Q?',
      rules: 'R',
      topicSlugs: [],
    };
    const id = '10000000-0000-4000-8000-000000000000';
    send(exchange, { ...market, id, categorySlug: 'c', resolutionDate: time + 1e7 });
    const confirmed = { type: 'chainConfirmed', step: 'DEPLOY', attempt: 1, transactionHash: '0x1', note: '' };
    send(exchange, { ...confirmed, time, market: 0 });
    const order = {
      type: 'place',
      time,
      account: 1,
      credential: 0,
      market: 0,
      outcome: 'YES',
      side: 'BUY',
      price: 5000,
      shares: 5_000_000,
      timeInForce: 'GTC',
      postOnly: false,
      expiration: 0,
      timestampMs: time,
      epoch: 0,
      maxFeeBps: 1000,
      replaces: 0,
      selfTrade: 'CANCEL_TAKER',
      group: 0,
      hash: `0x${'ab'.repeat(32)}`,
    };
    send(exchange, order);
    exchange.snapshot();
    expect(journal.snapshots).toEqual([journal.last]);
    const recovery = recovered(journal);
    expect(recovery.replayed).toBe(0);
    const events = send(new DurableExchange({ machine: recovery.machine, journal }), order);
    expect(events).toEqual([{ type: 'duplicate', entry: 0, order: 1 }]);
  });

  it('refuses to replay with another configuration or quote policy', () => {
    const journal = new MemoryJournal();
    const exchange = new DurableExchange({ machine: new ExchangeWithIdentities(options), journal });
    exchange.apply({ type: 'openAccount', time: unchecked.time(1), address: '0xaa', unlimited: false });
    exchange.commit(assertNoFault);
    const restarted = (other: Partial<ExchangeOptions>) => () =>
      recover({
        journal,
        createNew: () => new ExchangeWithIdentities({ ...options, ...other }),
        restore: (reader) => ExchangeWithIdentities.restore(reader, options),
      });
    expect(restarted({ config: { ...CONFIG, feeRateBps: CONFIG.feeRateBps + 1 } })).toThrow('the configuration');
    expect(restarted({ quotePolicy: 'book' })).toThrow('the configuration');
    expect(restarted({})().replayed).toBe(1);
  });
});

describe('the time of a command', () => {
  const YEAR = 366 * 86_400_000;
  const FIRST = 1_700_000_000_000;

  function running(maxTimeStep?: number) {
    const machine = new ExchangeWithIdentities(options);
    const journal = new MemoryJournal();
    const more = maxTimeStep === undefined ? {} : { maxTimeStep };
    const exchange = new DurableExchange({ machine, journal, ...more });
    const open = (time: number): readonly ExchangeEvent[] => {
      const address = `0x${journal.last}`;
      const { events } = exchange.apply({ type: 'openAccount', time: unchecked.time(time), address, unlimited: false });
      exchange.commit(assertNoFault);
      return events;
    };
    return { machine, journal, open };
  }

  it('is unlimited for the first command, then at most a year after the last event', () => {
    const { machine, journal, open } = running();
    expect(open(FIRST)).toHaveLength(1);
    const before = [machine.stateHash(), journal.last];
    const limit = FIRST + YEAR;
    for (const value of [limit + 1, 8_640_000_000_000_000, Number.MAX_SAFE_INTEGER]) {
      const refusal = { reason: 'ABOVE_MAX', field: 'time', limit, value, unit: 'MILLISECONDS' };
      expect(open(value)).toEqual([{ type: 'refused', entry: -1, refusal }]);
    }
    expect([machine.stateHash(), journal.last]).toEqual(before);
    expect(open(limit)).toHaveLength(1);
    expect(open(limit + YEAR)).toHaveLength(1);
    expect([machine.view.now, journal.last]).toEqual([limit + YEAR, 3]);
  });

  it('has a configurable bound, and the exchange refuses values that are not a time', () => {
    const { machine, open } = running(1000);
    open(FIRST);
    const late = { reason: 'ABOVE_MAX', limit: FIRST + 1000 };
    expect(open(FIRST + 1001)).toMatchObject([{ type: 'refused', entry: -1, refusal: late }]);
    const invalid = { reason: 'INVALID_ORDER', field: 'time' };
    expect(open(Number.POSITIVE_INFINITY)).toMatchObject([{ type: 'refused', entry: -1, refusal: invalid }]);
    expect(open(FIRST + 1000)).toHaveLength(1);
    expect(machine.view.now).toBe(FIRST + 1000);
  });
});

describe('an invalid command', () => {
  it.each([null, undefined])('%s is refused without a record, and the journal continues', (command) => {
    const restarting = new RestartingExchange(0, 100);
    const refusal = { reason: 'INVALID_ORDER', field: 'type' };
    expect(restarting.apply(command as never)).toEqual([{ type: 'refused', entry: -1, refusal }]);
    expect(restarting.journal.last).toBe(0);
    const [first] = restarting.apply(OPENING[0] as never);
    expect(first?.type).toBe('rareEvent');
    expect(restarting.journal.last).toBe(1);
  });
});
