import { createHash } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { column, counted } from '../../../src/domain/index.ts';
import { Exchange } from '../../../src/exchange/engine/exchange.ts';
import { ExchangeMachine, type MachineOptions } from '../../../src/exchange/journal/exchange-machine.ts';
import { JournaledExchange } from '../../../src/exchange/journal/journaled-exchange.ts';
import { type Recovery, recover } from '../../../src/exchange/journal/recover.ts';
import { SILENT } from '../../../src/exchange/sink.ts';
import { move } from '../properties/moves.ts';
import { CONFIG, OPENING, play } from '../properties/sequence.ts';
import { CallList } from '../twin/calls.ts';
import type { Call } from '../twin/world.ts';
import { MemoryJournal } from './memory-journal.ts';

const options: MachineOptions = {
  config: CONFIG,
  sha256: (text) => createHash('sha256').update(text, 'utf8').digest('hex'),
};

function recovered(journal: MemoryJournal): Recovery<ExchangeMachine> {
  return recover({
    journal,
    fresh: () => new ExchangeMachine(options),
    restore: (reader) => ExchangeMachine.restore(reader, options),
  });
}

/** The real exchange behind a journal, which dies each so many commands and comes back. */
class Mortal {
  readonly journal = new MemoryJournal();
  readonly #snapshotEvery: number;
  readonly #life: number;
  #commands = 0;
  #machine = new ExchangeMachine(options);
  #exchange: JournaledExchange;

  constructor(snapshotEvery: number, life: number) {
    this.#snapshotEvery = snapshotEvery;
    this.#life = life;
    this.#exchange = this.#journaled();
  }

  get machine(): ExchangeMachine {
    return this.#machine;
  }

  apply(command: Parameters<Exchange['apply']>[0]): readonly Call[] {
    this.#commands += 1;
    if (this.#commands % this.#life === 0) {
      const hash = this.#machine.stateHash();
      this.#machine = recovered(this.journal).machine;
      expect(this.#machine.stateHash()).toBe(hash);
      this.#exchange = this.#journaled();
    }
    const list = new CallList();
    this.#exchange.apply(command, list);
    return list.calls;
  }

  #journaled(): JournaledExchange {
    const onFault = (fault: Error): never => {
      throw fault;
    };
    const [machine, journal, snapshotEvery] = [this.#machine, this.journal, this.#snapshotEvery];
    return new JournaledExchange({ machine, journal, onFault, snapshotEvery, hashEvery: 50 });
  }
}

describe('the real exchange', () => {
  it('is after any commands and deaths what it would be without either', () => {
    fc.assert(
      fc.property(
        fc.array(move, { minLength: 20, maxLength: 150, size: 'max' }),
        fc.constantFrom(0, 7, 40),
        fc.constantFrom(1, 13, 60),
        (moves, snapshotEvery, life) => {
          const whole = new Exchange(options);
          const mortal = new Mortal(snapshotEvery, life);
          let [events, seq] = [0, 0];
          play(moves, {
            carryOut(command) {
              const list = new CallList();
              whole.apply(command, list);
              const told = list.calls;
              expect(mortal.apply(command)).toEqual(told);
              if (whole.view.seq > seq) events += 1;
              seq = whole.view.seq;
              return told;
            },
            tickOf: (market) => whole.view.market(counted.market(market))?.tickBps,
          });
          expect(mortal.machine.stateHash()).toBe(whole.stateHash());
          // What changed nothing left no record.
          expect(mortal.journal.last).toBe(events);
          const again = recovered(mortal.journal);
          expect(again.machine.stateHash()).toBe(whole.stateHash());
          expect(again.notes).toEqual([]);
        },
      ),
      { numRuns: 60 },
    );
  });

  it('remembers after a snapshot which signed bytes it has seen', () => {
    const journal = new MemoryJournal();
    const machine = new ExchangeMachine(options);
    const exchange = new JournaledExchange({ machine, journal, onFault: () => {} });
    const calls = new CallList();
    exchange.apply({ type: 'tick', time: 1 as never }, SILENT);
    const send = (to: JournaledExchange, command: object): void => to.apply(command as never, calls);
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
    const again = recovered(journal);
    expect(again.replayed).toBe(0);
    calls.calls.length = 0;
    send(new JournaledExchange({ machine: again.machine, journal, onFault: () => {} }), order);
    expect(calls.calls).toEqual([['duplicate', 0, 1]]);
  });

  it('is not replayed from another configuration or quote policy than it began with', () => {
    const journal = new MemoryJournal();
    const exchange = new JournaledExchange({ machine: new ExchangeMachine(options), journal, onFault: () => {} });
    exchange.apply({ type: 'openAccount', time: column.time(1), address: '0xaa', unlimited: false }, SILENT);
    const restarted = (other: Partial<MachineOptions>) => () =>
      recover({
        journal,
        fresh: () => new ExchangeMachine({ ...options, ...other }),
        restore: (reader) => ExchangeMachine.restore(reader, options),
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
    const machine = new ExchangeMachine(options);
    const journal = new MemoryJournal();
    const onFault = (): void => {};
    const more = maxTimeStep === undefined ? {} : { maxTimeStep };
    const exchange = new JournaledExchange({ machine, journal, onFault, ...more });
    const open = (time: number) => {
      const sink = new CallList();
      exchange.apply(
        { type: 'openAccount', time: column.time(time), address: `0x${journal.last}`, unlimited: false },
        sink,
      );
      return sink.calls;
    };
    return { machine, journal, open };
  }

  it('may be any at first, and then no more than a year after the last event', () => {
    const { machine, journal, open } = running();
    expect(open(FIRST)).toHaveLength(1);
    const before = [machine.stateHash(), journal.last];
    const limit = FIRST + YEAR;
    for (const value of [limit + 1, 8_640_000_000_000_000, Number.MAX_SAFE_INTEGER]) {
      const refusal = { reason: 'ABOVE_MAX', field: 'time', limit, value, unit: 'MILLISECONDS' };
      expect(open(value)).toEqual([['refused', -1, refusal]]);
    }
    expect([machine.stateHash(), journal.last]).toEqual(before);
    expect(open(limit)).toHaveLength(1);
    expect(open(limit + YEAR)).toHaveLength(1);
    expect([machine.now, journal.last]).toEqual([limit + YEAR, 3]);
  });

  it('is bounded as the host says, and what is no time is left to the exchange', () => {
    const { machine, open } = running(1000);
    open(FIRST);
    expect(open(FIRST + 1001)).toMatchObject([['refused', -1, { reason: 'ABOVE_MAX', limit: FIRST + 1000 }]]);
    expect(open(Number.POSITIVE_INFINITY)).toMatchObject([['refused', -1, { reason: 'INVALID_ORDER', field: 'time' }]]);
    expect(open(FIRST + 1000)).toHaveLength(1);
    expect(machine.now).toBe(FIRST + 1000);
  });
});

describe('a command that is none', () => {
  it.each([null, undefined])('%s is refused, leaves no record, and the journal goes on', (nothing) => {
    const mortal = new Mortal(0, 100);
    expect(mortal.apply(nothing as never)).toEqual([['refused', -1, { reason: 'INVALID_ORDER', field: 'type' }]]);
    expect(mortal.journal.last).toBe(0);
    const [first] = mortal.apply(OPENING[0] as never);
    expect(first?.[0]).toBe('happened');
    expect(mortal.journal.last).toBe(1);
  });
});
