import Database from 'better-sqlite3';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type Seq, unchecked } from '../../../src/domain/index.ts';
import { recover, type Step } from '../../../src/runtime/index.ts';
import { BotStore } from '../../../src/store/index.ts';
import { runs } from '../../runs.ts';
import { type Action, journalled } from '../../state/any-action.ts';
import { about, usd } from '../../state/world.ts';
import { databaseFiles } from '../sqlite/files.ts';
import { BotHarness, copyOf, NAME } from './bot-harness.ts';

const file = databaseFiles();

function action(kind: Action['kind'], order = 1, amount = 4): Action {
  return { kind, order, amount, market: 0 };
}

/** Actions that steps store, and ends of markets, which they do not. */
const anyStored = fc.oneof(
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

function recoverFrom({ store }: BotHarness) {
  const run = store.storedRun();
  if (run === undefined) throw new Error('no snapshot');
  return recover(run);
}

describe('the stored state of a bot', () => {
  it('is restored after any end of the process and any snapshots', () => {
    fc.assert(
      fc.property(
        fc.array(fc.array(anyStored, { maxLength: 25 }), { minLength: 1, maxLength: 4 }),
        fc.integer({ min: 1, max: 40 }),
        (sessions, snapshotEvery) => {
          const name = file();
          let before: BotHarness | undefined;
          for (const actions of sessions) {
            const bot = BotHarness.open({ file: name, snapshotEvery });
            if (before !== undefined) expect(asStored(bot.snapshot())).toEqual(asStored(before.snapshot()));
            for (const action of actions) bot.apply(action);
            bot.apply(action('cash'));
            const { state, risk, assignments, nextOrder, nextSeq, appliedSteps } = recoverFrom(bot);
            const { seq, ...rest } = bot.snapshot();
            expect(nextSeq).toBe(Number(seq) + 1);
            const recovered = { ...rest, account: state.snapshot(), risk, roster: assignments.entries, nextOrder };
            expect(asStored(recovered)).toEqual(asStored(rest));
            expect(state.exitEquity).toBe(bot.account.exitEquity);
            expect(appliedSteps).toBeLessThanOrEqual(snapshotEvery);
            before = bot;
          }
        },
      ),
      { numRuns: runs(40) },
    );
  }, 180_000);

  it('is empty in a new file', async () => {
    const store = BotStore.open({ file: file(), name: NAME, spec: '{}' });
    expect([
      store.storedRun(),
      store.streamPosition,
      store.epoch,
      store.unfinishedOrders(),
      store.isSpecChanged,
    ]).toEqual([undefined, 0, 0, [], false]);
    await store.close(1);
  });

  it('is restored without steps after a normal end', async () => {
    const name = file();
    const bot = BotHarness.open({ file: name });
    for (const kind of ['place', 'accepted', 'filled'] as const) bot.apply(action(kind));
    await bot.store.close(9);
    await bot.store.close(9);
    const restarted = BotHarness.open({ file: name });
    expect([restarted.appliedSteps, restarted.seq]).toEqual([0, 4]);
    expect(asStored(restarted.snapshot())).toEqual(asStored(bot.snapshot()));
  });

  it('has the payout of a claim for a market that ended since the last snapshot', () => {
    const name = file();
    const bot = BotHarness.open({ file: name });
    bot.apply(action('filled', 1, 9));
    bot.apply({ kind: 'resolution', order: 1, amount: 1, market: 0 });
    bot.apply(action('claim'));
    bot.apply(action('converted'));
    expect(bot.account.unexplainedEvents).toBe(0);
    const restarted = BotHarness.open({ file: name });
    expect(restarted.account.unexplainedEvents).toBe(0);
    expect(restarted.account.cash).toBe(bot.account.cash);
  });

  it('reports a changed configuration', async () => {
    const name = file();
    await BotStore.open({ file: name, name: NAME, spec: '1' }).close(1);
    const store = BotStore.open({ file: name, name: NAME, spec: '2' });
    expect(store.isSpecChanged).toBe(true);
    await store.close(1);
    expect(BotStore.open({ file: name, name: NAME, spec: '2' }).isSpecChanged).toBe(false);
  });
});

describe('appending to a bot’s store', () => {
  it('stores no step without a change, but checks the order of all steps', () => {
    const bot = BotHarness.open({ file: file() });
    const { time } = about(1);
    const idle = { time, row: 1, refused: [], commands: [] };
    const step = (seq: number, event?: 'woke' | 'timerFired') =>
      event === 'timerFired'
        ? { ...idle, seq: unchecked.seq(seq), event: { type: event, time, bot: unchecked.instance(0), timer: 'x' } }
        : { ...idle, seq: unchecked.seq(seq), event: event === undefined ? undefined : { type: event, time } };
    bot.store.append([step(1), step(2, 'woke')]);
    bot.store.append([step(3, 'timerFired'), { ...step(4), event: { type: 'started', time } }]);
    expect(() => bot.store.append([step(6)])).toThrow('step 6 was stored after step 4');
    const seqs: Seq[] = [];
    for (const { seq } of bot.store.storedRun()?.steps ?? []) seqs.push(seq);
    expect(seqs).toEqual([4]);
  });

  it('makes the position in the venue’s stream durable together with the step', () => {
    const name = file();
    const bot = BotHarness.open({ file: name });
    bot.store.advanceStreamPosition(7);
    expect(bot.store.streamPosition).toBe(0);
    const reopen = () => BotStore.open({ file: copyOf(name, file()), name: NAME, spec: '{}' });
    expect(reopen().streamPosition).toBe(0);
    bot.apply(action('place'));
    bot.store.advanceStreamPosition(5);
    bot.apply(action('accepted'));
    expect([bot.store.streamPosition, reopen().streamPosition]).toEqual([7, 7]);
    bot.store.advanceStreamPosition(8);
    bot.store.storeState();
    bot.store.setEpoch(4);
    const reopened = reopen();
    expect([reopened.streamPosition, reopened.epoch]).toEqual([8, 4]);
  });

  it('stores the position that arrives with steps together with them', () => {
    const name = file();
    const bot = BotHarness.open({ file: name });
    const { time } = about(1);
    const step = (seq: number): Step => {
      return { seq: unchecked.seq(seq), time, row: 1, refused: [], commands: [], event: { type: 'started', time } };
    };
    bot.store.append([step(1)], 7);
    bot.store.append([step(2)], 6);
    bot.store.append([step(3)]);
    expect([
      bot.store.streamPosition,
      BotStore.open({ file: copyOf(name, file()), name: NAME, spec: '{}' }).streamPosition,
    ]).toEqual([7, 7]);
    bot.store.appendDeferred([step(4)], 8);
    expect([
      bot.store.streamPosition,
      BotStore.open({ file: copyOf(name, file()), name: NAME, spec: '{}' }).streamPosition,
    ]).toEqual([7, 7]);
    bot.store.flushDeferred();
    expect([
      bot.store.streamPosition,
      BotStore.open({ file: copyOf(name, file()), name: NAME, spec: '{}' }).streamPosition,
    ]).toEqual([8, 8]);
  });

  it('stores no snapshot of a run that failed within a step', async () => {
    const name = file();
    const bot = BotHarness.open({ file: name });
    bot.apply(action('place'));
    const before = BotHarness.open({ file: copyOf(name, file()) }).account.snapshot();
    bot.account.apply({ type: 'cashAdjusted', ...about(2), amount: usd(5) });
    bot.store.onRunFailed();
    await bot.store.close(9);
    expect(BotHarness.open({ file: name }).account.snapshot()).toEqual(before);
  });

  it('writes the risk state without a step when equity moved', () => {
    const name = file();
    const bot = BotHarness.open({ file: name });
    bot.apply(action('filled', 1, 9));
    bot.apply({ kind: 'book', order: 1, amount: 3, market: 0 });
    bot.store.storeState();
    expect(BotHarness.open({ file: name }).risk()).toEqual(bot.risk());
  });

  it('writes nothing after a failure', () => {
    const bot = BotHarness.open({ file: file(), maxPages: 40 });
    const fill = () => {
      for (let turn = 0; turn < 5_000; turn += 1) bot.apply(action('place'));
    };
    expect(fill).toThrow(/could not be written \(SQLITE_FULL.*Free disk space/);
    expect(() => bot.apply(action('cash'))).toThrow(/SQLITE_FULL/);
    expect(() => bot.store.addSigned([])).toThrow(/SQLITE_FULL/);
  });

  describe('everything acknowledged is stored after a failure', () => {
    const lastStored = (name: string): number | undefined => {
      const run = BotStore.open({ file: name, name: NAME, spec: '{}', thread: false }).storedRun();
      return run === undefined ? undefined : recover(run).nextSeq - 1;
    };

    it('when the disk is full, whether a step or the close reports it', async () => {
      for (const steps of [1, 200, 5_000]) {
        const name = file();
        const bot = BotHarness.open({ file: name, maxPages: 40 });
        let last: Step | undefined;
        const fill = () => {
          for (let turn = 0; turn < steps; turn += 1) last = bot.apply(action('place')) ?? last;
        };
        if (steps === 5_000) expect(fill).toThrow('SQLITE_FULL');
        else fill();
        await bot.store.close(5).catch((error: unknown) => expect(String(error)).toContain('SQLITE_FULL'));
        expect(lastStored(name), `${steps} steps`).toBeGreaterThanOrEqual(last?.seq ?? Number.NaN);
      }
    });

    const broken = [
      ['its rows', 'INSERT ON steps'],
      ['its last row', 'UPDATE ON commit_stamp'],
    ];
    it.each(broken)('when a transaction fails at %s', async (_, change) => {
      for (const isFoundAtEnd of [true, false]) {
        const name = file();
        const bot = BotHarness.open({ file: name });
        const other = new Database(name);
        const last = bot.apply(action('place'));
        other.exec(`CREATE TRIGGER broken BEFORE ${change} BEGIN SELECT RAISE(ABORT, 'no'); END`);
        if (!isFoundAtEnd) expect(() => bot.store.storeState()).toThrow('could not be written');
        const end = bot.store.close(5);
        if (isFoundAtEnd) await expect(end).rejects.toThrow('could not be written');
        else await end;
        other.exec('DROP TRIGGER broken');
        other.close();
        expect(lastStored(name), `at the end: ${isFoundAtEnd}`).toBe(last?.seq);
      }
    });

    it('when the current time is not available', async () => {
      const name = file();
      const bot = BotHarness.open({ file: name });
      const last = bot.apply(action('place'));
      bot.risk = () => {
        throw new Error('no risk');
      };
      await expect(bot.store.close(5)).rejects.toThrow('no risk');
      expect(lastStored(name)).toBe(last?.seq);
    });
  });

  it('refuses steps after it was closed', async () => {
    const bot = BotHarness.open({ file: file() });
    await bot.store.close(1);
    expect(() => bot.apply(action('place'))).toThrow("the bot's store was closed");
  });
});
