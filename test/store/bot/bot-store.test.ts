import { copyFileSync, existsSync } from 'node:fs';
import Database from 'better-sqlite3';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { counted, type Seq } from '../../../src/domain/index.ts';
import { interruptedCommands, recover, type Step } from '../../../src/runtime/index.ts';
import { AccountState } from '../../../src/state/index.ts';
import { BotStore } from '../../../src/store/index.ts';
import { runs } from '../../runs.ts';
import { type Action, journalled } from '../../state/any-action.ts';
import { about, place, usd } from '../../state/world.ts';
import { databaseFiles } from '../sqlite/files.ts';
import { BotLife, copyOf, NAME, placesOf, signedRecord } from './bot-life.ts';

const file = databaseFiles();

function action(kind: Action['kind'], order = 1, amount = 4): Action {
  return { kind, order, amount, market: 0 };
}

/** Actions that steps store, and ends of markets, which they do not. */
const stored = fc.oneof(
  { weight: 9, arbitrary: journalled },
  fc.record({
    kind: fc.constantFrom('resolution' as const, 'claim' as const),
    order: fc.constant(1),
    amount: fc.nat({ max: 3 }),
    market: fc.nat({ max: 1 }),
  }),
);

/** The value after JSON encoding. */
function asStored(value: unknown): unknown {
  return JSON.parse(JSON.stringify(value));
}

function recoveredFrom({ store }: BotLife) {
  const run = store.stored();
  if (run === undefined) throw new Error('there is a snapshot');
  return recover(run);
}

describe('the stored state of a bot', () => {
  it('is restored after any end of the process and any snapshots', () => {
    fc.assert(
      fc.property(
        fc.array(fc.array(stored, { maxLength: 25 }), { minLength: 1, maxLength: 4 }),
        fc.integer({ min: 1, max: 40 }),
        (lives, snapshotEvery) => {
          const name = file();
          let before: BotLife | undefined;
          for (const actions of lives) {
            const life = BotLife.open({ file: name, snapshotEvery });
            if (before !== undefined) expect(asStored(life.snapshot())).toEqual(asStored(before.snapshot()));
            for (const each of actions) life.play(each);
            life.play(action('cash'));
            const { state, risk, roster, nextOrder, firstSeq, appliedSteps } = recoveredFrom(life);
            const { seq, ...rest } = life.snapshot();
            expect(firstSeq).toBe(Number(seq) + 1);
            const again = { ...rest, account: state.snapshot(), risk, roster: roster.entries, nextOrder };
            expect(asStored(again)).toEqual(asStored(rest));
            expect(state.exitEquity).toBe(life.account.exitEquity);
            expect(appliedSteps).toBeLessThanOrEqual(snapshotEvery);
            before = life;
          }
        },
      ),
      { numRuns: runs(40) },
    );
  }, 180_000);

  it('is empty in a new file', async () => {
    const store = BotStore.open({ file: file(), name: NAME, spec: '{}' });
    expect([store.stored(), store.cursor, store.epoch, store.unsettled(), store.specChanged]).toEqual([
      undefined,
      0,
      0,
      [],
      false,
    ]);
    await store.close(1);
  });

  it('is restored without steps after a normal end', async () => {
    const name = file();
    const life = BotLife.open({ file: name });
    for (const kind of ['place', 'accepted', 'filled'] as const) life.play(action(kind));
    await life.store.close(9);
    await life.store.close(9);
    const again = BotLife.open({ file: name });
    expect([again.appliedSteps, again.seq]).toEqual([0, 4]);
    expect(asStored(again.snapshot())).toEqual(asStored(life.snapshot()));
  });

  it('has the payout of a claim for a market that ended since the last snapshot', () => {
    const name = file();
    const life = BotLife.open({ file: name });
    life.play(action('filled', 1, 9));
    life.play({ kind: 'resolution', order: 1, amount: 1, market: 0 });
    life.play(action('claim'));
    life.play(action('converted'));
    expect(life.account.unexplained).toBe(0);
    const again = BotLife.open({ file: name });
    expect(again.account.unexplained).toBe(0);
    expect(again.account.cash).toBe(life.account.cash);
  });

  it('reports a changed configuration', async () => {
    const name = file();
    await BotStore.open({ file: name, name: NAME, spec: '1' }).close(1);
    const store = BotStore.open({ file: name, name: NAME, spec: '2' });
    expect(store.specChanged).toBe(true);
    await store.close(1);
    expect(BotStore.open({ file: name, name: NAME, spec: '2' }).specChanged).toBe(false);
  });
});

describe('appending to a bot’s store', () => {
  it('stores no step without a change, but checks the order of all steps', () => {
    const life = BotLife.open({ file: file() });
    const { time } = about(1);
    const idle = { time, row: 1, refused: [], commands: [] };
    const step = (seq: number, event?: 'woke' | 'timerFired') =>
      event === 'timerFired'
        ? { ...idle, seq: counted.seq(seq), event: { type: event, time, bot: counted.bot(0), timer: 'x' } }
        : { ...idle, seq: counted.seq(seq), event: event === undefined ? undefined : { type: event, time } };
    life.store.append([step(1), step(2, 'woke')]);
    life.store.append([step(3, 'timerFired'), { ...step(4), event: { type: 'started', time } }]);
    expect(() => life.store.append([step(6)])).toThrow('step 6 was stored after step 4');
    const seqs: Seq[] = [];
    for (const { seq } of life.store.stored()?.steps ?? []) seqs.push(seq);
    expect(seqs).toEqual([4]);
  });

  it('makes the position in the venue’s stream durable together with the step', () => {
    const name = file();
    const life = BotLife.open({ file: name });
    life.store.reached(7);
    expect(life.store.cursor).toBe(0);
    const reopen = () => BotStore.open({ file: copyOf(name, file()), name: NAME, spec: '{}' });
    expect(reopen().cursor).toBe(0);
    life.play(action('place'));
    life.store.reached(5);
    life.play(action('accepted'));
    expect([life.store.cursor, reopen().cursor]).toEqual([7, 7]);
    life.store.reached(8);
    life.store.touch();
    life.store.reachedEpoch(4);
    const again = reopen();
    expect([again.cursor, again.epoch]).toEqual([8, 4]);
  });

  it('stores the position that arrives with steps together with them', () => {
    const name = file();
    const life = BotLife.open({ file: name });
    const { time } = about(1);
    const step = (seq: number): Step => {
      return { seq: counted.seq(seq), time, row: 1, refused: [], commands: [], event: { type: 'started', time } };
    };
    life.store.append([step(1)], 7);
    life.store.append([step(2)], 6);
    life.store.append([step(3)]);
    expect([life.store.cursor, BotStore.open({ file: copyOf(name, file()), name: NAME, spec: '{}' }).cursor]).toEqual([
      7, 7,
    ]);
    life.store.appendDeferred([step(4)], 8);
    expect([life.store.cursor, BotStore.open({ file: copyOf(name, file()), name: NAME, spec: '{}' }).cursor]).toEqual([
      7, 7,
    ]);
    life.store.flushDeferred();
    expect([life.store.cursor, BotStore.open({ file: copyOf(name, file()), name: NAME, spec: '{}' }).cursor]).toEqual([
      8, 8,
    ]);
  });

  it('stores no snapshot of a run that failed within a step', async () => {
    const name = file();
    const life = BotLife.open({ file: name });
    life.play(action('place'));
    const before = BotLife.open({ file: copyOf(name, file()) }).account.snapshot();
    life.account.apply({ type: 'cashAdjusted', ...about(2), amount: usd(5) });
    life.store.failed();
    await life.store.close(9);
    expect(BotLife.open({ file: name }).account.snapshot()).toEqual(before);
  });

  it('writes the risk state without a step when equity moved', () => {
    const name = file();
    const life = BotLife.open({ file: name });
    life.play(action('filled', 1, 9));
    life.play({ kind: 'book', order: 1, amount: 3, market: 0 });
    life.store.touch();
    expect(BotLife.open({ file: name }).risk()).toEqual(life.risk());
  });

  it('writes nothing more after a failure', () => {
    const life = BotLife.open({ file: file(), mostPages: 40 });
    const fill = () => {
      for (let turn = 0; turn < 5_000; turn += 1) life.play(action('place'));
    };
    expect(fill).toThrow(/could not be written \(SQLITE_FULL.*Make room on the disk/);
    expect(() => life.play(action('cash'))).toThrow(/SQLITE_FULL/);
    expect(() => life.store.signed([])).toThrow(/SQLITE_FULL/);
  });

  describe('everything acknowledged is stored after a failure', () => {
    const lastStored = (name: string): number | undefined => {
      const run = BotStore.open({ file: name, name: NAME, spec: '{}', thread: false }).stored();
      return run === undefined ? undefined : recover(run).firstSeq - 1;
    };

    it('when the disk is full, or reports it only at the end', async () => {
      for (const most of [1, 200, 5_000]) {
        const name = file();
        const life = BotLife.open({ file: name, mostPages: 40 });
        let last: Step | undefined;
        const fill = () => {
          for (let turn = 0; turn < most; turn += 1) last = life.play(action('place')) ?? last;
        };
        if (most === 5_000) expect(fill).toThrow('SQLITE_FULL');
        else fill();
        await life.store.close(5).catch((error: unknown) => expect(String(error)).toContain('SQLITE_FULL'));
        expect(lastStored(name), `${most} steps`).toBeGreaterThanOrEqual(last?.seq ?? Number.NaN);
      }
    });

    const broken = [
      ['its rows', 'INSERT ON steps'],
      ['its last row', 'UPDATE ON commit_stamp'],
    ];
    it.each(broken)('when a transaction fails at %s', async (_, change) => {
      for (const isFoundAtEnd of [true, false]) {
        const name = file();
        const life = BotLife.open({ file: name });
        const other = new Database(name);
        const last = life.play(action('place'));
        other.exec(`CREATE TRIGGER broken BEFORE ${change} BEGIN SELECT RAISE(ABORT, 'no'); END`);
        if (!isFoundAtEnd) expect(() => life.store.touch()).toThrow('could not be written');
        const end = life.store.close(5);
        if (isFoundAtEnd) await expect(end).rejects.toThrow('could not be written');
        else await end;
        other.exec('DROP TRIGGER broken');
        other.close();
        expect(lastStored(name), `at the end: ${isFoundAtEnd}`).toBe(last?.seq);
      }
    });

    it('when the current time is not available', async () => {
      const name = file();
      const life = BotLife.open({ file: name });
      const last = life.play(action('place'));
      life.risk = () => {
        throw new Error('no risk');
      };
      await expect(life.store.close(5)).rejects.toThrow('no risk');
      expect(lastStored(name)).toBe(last?.seq);
    });
  });

  it('refuses after it was closed', async () => {
    const life = BotLife.open({ file: file() });
    await life.store.close(1);
    expect(() => life.play(action('place'))).toThrow("the bot's store was closed");
  });
});

describe('signed orders', () => {
  it('are found by hash and number, and are open until a step reports their end', () => {
    const name = file();
    const life = BotLife.open({ file: name });
    const records = [1, 2, 3].map(() => life.play(action('place'))?.commands.flatMap(placesOf) ?? []);
    life.store.signed(records.flat().map(signedRecord));
    life.play(action('accepted', 1));
    life.play(action('uncertain', 2));
    life.play(action('rejected', 3));
    const again = BotStore.open({ file: name, name: NAME, spec: '{}' });
    expect(again.unsettled().map(({ order }) => order)).toEqual([1, 2]);
    const third = signedRecord(place({ order: 3, outcome: 'YES', price: 1_040, size: 5, bot: 1 }));
    expect(again.numbered(counted.order(3))).toEqual(third);
    expect(again.find(third.hash)).toEqual(third);
    expect([again.find('0x00'), again.numbered(counted.order(9))]).toEqual([undefined, undefined]);
    expect(() => life.store.signed([third])).toThrow(/UNIQUE|PRIMARY/);
  });

  it('become durable together with the step that decided them, or not at all', () => {
    const name = file();
    const life = BotLife.open({ file: name });
    const placed = () => life.play(action('place'), { untilSigned: true })?.commands.flatMap(placesOf) ?? [];
    const first = placed().map(signedRecord);
    expect(foundAfterDeath(name)).toEqual([0, 0]);
    life.store.signed(first);
    expect(foundAfterDeath(name)).toEqual([1, 1]);
    placed();
    life.store.flushDeferred();
    expect(foundAfterDeath(name)).toEqual([2, 1]);
    placed();
    life.play(action('cash'));
    expect(foundAfterDeath(name)).toEqual([4, 1]);
    placed();
    expect(() => life.store.signed(first)).toThrow(/UNIQUE|PRIMARY/);
    expect(foundAfterDeath(name)).toEqual([4, 1]);
    expect(() => life.play(action('cash'))).toThrow(/UNIQUE|PRIMARY/);
    expect(foundAfterDeath(name)).toEqual([4, 1]);
  });

  it('are removed some time after they ended', () => {
    const name = file();
    const life = BotLife.open({ file: name });
    life.store.signed([signedRecord(place({ order: 1 })), signedRecord(place({ order: 2 }))]);
    life.play(action('place'));
    life.play(action('place'));
    life.play(action('rejected', 2));
    const store = BotStore.open({ file: name, name: NAME, spec: '{}' });
    store.follow({ ...life, account: life.account, risk: () => life.risk(), snapshot: () => later(life) }, 1);
    expect([store.numbered(counted.order(1))?.order, store.numbered(counted.order(2))]).toEqual([1, undefined]);
  });

  it('identify orders that were never sent, so that these and open conversions are closed', () => {
    const life = BotLife.open({ file: file() });
    for (const kind of ['place', 'place', 'split'] as const) life.play(action(kind));
    life.store.signed([signedRecord(place({ order: 1 }))]);
    const events = interruptedCommands(life.account, life.store, about(1).time);
    expect(events.map((event) => [event.type, 'order' in event ? event.order : undefined])).toEqual([
      ['orderRejected', 2],
      ['conversionRejected', undefined],
    ]);
    const state = AccountState.restore(life.account.snapshot());
    for (const event of events) state.apply(event);
    expect([state.openOrders, state.converting(counted.market(0))]).toEqual([1, false]);
  });
});

/** Steps and signed orders that a start would find if the process ended now. */
function foundAfterDeath(name: string): readonly unknown[] {
  const copy = file();
  for (const end of ['', '-wal', '-intents']) if (existsSync(name + end)) copyFileSync(name + end, copy + end);
  const store = BotStore.open({ file: copy, name: NAME, spec: '{}' });
  const reader = new Database(copy, { readonly: true });
  const counts = ['steps', 'signed'].map((table) => reader.prepare(`SELECT count(*) FROM ${table}`).pluck().get());
  reader.close();
  void store.close(1);
  return counts;
}

function later(life: BotLife) {
  return { ...life.snapshot(), nextOrder: counted.order(60_000) };
}
