/** The queue replies only with durable state, runs waiting commands as one batch and stops at the first fault. */

import { describe, expect, it } from 'vitest';
import { accountNo } from '../../src/domain/ids.ts';
import { credentialNo, durationMs, epochMs } from '../../src/domain/index.ts';
import type { ExchangeEvent, RegistryChange } from '../../src/exchange/index.ts';
import { WireFault } from '../../src/protocol/index.ts';
import { HeldJournal } from '../exchange/journal/held-journal.ts';
import { MemoryJournal } from '../exchange/journal/memory-journal.ts';
import { deposit, open, openQueue, START, types } from './command-queue-harness.ts';

/** Waits for one turn of the event loop. A held journal does not complete during it. */
const settle = () => new Promise((resolve) => setImmediate(resolve));

describe('a queue over a journal that commits synchronously', () => {
  it('replies synchronously from the state after the command', () => {
    const { queue, view } = openQueue(new MemoryJournal());
    const reply = queue.run({
      command: () => open(),
      answer: (events) => ({ reported: types(events), accounts: view.accountCount, seq: view.seq }),
    });
    expect(reply).toEqual({ reported: ['accountOpened'], accounts: 1, seq: 1 });
    expect(queue.read(({ seq }) => seq)).toBe(1);
  });

  it('runs a task without a command and rethrows errors of tasks and reads', () => {
    const { queue } = openQueue(new MemoryJournal());
    expect(queue.run({ command: () => undefined, answer: (events) => events })).toEqual([]);
    const thrown = new WireFault('INVALID', 'no');
    const fail = (): never => {
      throw thrown;
    };
    expect(() => queue.run({ command: fail, answer: () => 1 })).toThrow(thrown);
    expect(() => queue.run({ command: () => open(), answer: fail })).toThrow(thrown);
    expect(() => queue.read(fail)).toThrow(thrown);
    expect(queue.read(({ accountCount }) => accountCount)).toBe(1);
  });

  it('runs a chain of 20,000 tasks, each started by the answer of the previous one', async () => {
    const { queue } = openQueue(new MemoryJournal());
    await queue.execute(open());
    let left = 20_000;
    const runNext = (): void => {
      left -= 1;
      // Recursion of this depth would overflow the stack.
      if (left > 0) queue.run({ command: () => deposit(1), answer: runNext });
    };
    queue.run({ command: () => deposit(1), answer: runNext });
    expect([left, queue.read((view) => view.account(1)?.available)]).toEqual([0, 20_000_000_000]);
  });

  it('runs a task in a later batch when an answer starts it', async () => {
    const { queue } = openQueue(new MemoryJournal());
    let inner: Promise<readonly ExchangeEvent[]> | undefined;
    queue.run({
      command: () => open(),
      answer: () => {
        inner = queue.execute(deposit(5));
      },
    });
    expect(types((await inner) ?? [])).toEqual(['transferred']);
  });
});

describe('a queue over a journal that commits later', () => {
  it('calls no watcher and answers nothing before the command is durable', async () => {
    const { queue, view, journal } = openQueue(new HeldJournal());
    const reported: string[] = [];
    queue.watch({
      onCommitted: (events, { type }) => void reported.push(`committed ${type}: ${types(events)}`),
      onBatchEnd: () => void reported.push('batch end'),
    });
    const answer = queue.run({ command: () => open(), answer: (events) => reported.push(`answer ${types(events)}`) });
    const read = queue.read(({ accountCount }) => reported.push(`read ${accountCount}`));
    expect(answer).toBeInstanceOf(Promise);
    await settle();
    expect(view.accountCount).toBe(1);
    expect(reported).toEqual([]);
    journal.release();
    expect(reported).toEqual(['committed openAccount: accountOpened', 'batch end', 'answer accountOpened', 'read 1']);
    await Promise.all([answer, read]);
  });

  it('reports to watchers the time of the exchange after each command, not after the whole batch', async () => {
    const { queue, journal } = openQueue(new HeldJournal());
    const times: number[] = [];
    queue.watch({ onCommitted: (_events, _command, at) => void times.push(at) });
    const first = queue.execute(open());
    const rest = [5, 9].map((ms) => queue.execute({ ...deposit(1), time: epochMs(START + ms) }));
    journal.release();
    journal.release();
    await Promise.all([first, ...rest]);
    expect(times).toEqual([START, START + 5, START + 9]);
  });

  it('applies all waiting commands as one batch in which each command sees the effects of the previous ones', async () => {
    const { queue, view, journal } = openQueue(new HeldJournal());
    const first = queue.execute(open());
    const balances: number[] = [];
    const rest = [1, 2, 3].map((dollars) =>
      queue.run({
        command: () => {
          balances.push(view.account(1)?.available ?? -1);
          return deposit(dollars);
        },
        // Answers see the state at the end of the batch, which is durable.
        answer: () => view.account(1)?.available,
      }),
    );
    expect(balances).toEqual([]);
    journal.release();
    expect(balances).toEqual([0, 1_000_000, 3_000_000]);
    expect(journal.sizes).toEqual([1, 3]);
    journal.release();
    expect(types(await first)).toEqual(['accountOpened']);
    expect(await Promise.all(rest)).toEqual([6_000_000, 6_000_000, 6_000_000]);
    expect(queue.waitingCount).toBe(0);
  });

  it('delays reads until the state is durable', async () => {
    const { queue, journal } = openQueue(new HeldJournal());
    const first = queue.execute(open());
    const second = queue.execute(deposit(7));
    const early = queue.read((view) => view.account(1)?.available);
    journal.release();
    // The second batch has begun, so the exchange is ahead of the durable state.
    const late = queue.read((view) => view.account(1)?.available);
    journal.release();
    await Promise.all([first, second]);
    expect([await early, await late]).toEqual([0, 7_000_000]);
  });

  it('reports a refusal after earlier commands are durable and writes no changes of the refused command', async () => {
    const { queue, journal, changes } = openQueue(new HeldJournal());
    const change = (key: string): RegistryChange => ({ table: 'setting', key, value: 1 });
    const first = queue.execute(open(), [change('first')]);
    const refused = queue.execute(open(), [change('refused')]);
    const nothing = queue.execute({ type: 'tick', time: START }, [change('nothing')]);
    expect(changes.map(({ key }) => key)).toEqual(['first']);
    journal.release();
    expect(journal.isAppending).toBe(false);
    expect(types(await first)).toEqual(['accountOpened']);
    expect(await refused).toMatchObject([{ type: 'refused', refusal: { reason: 'CONFLICT' } }]);
    expect(await nothing).toEqual([]);
    expect(changes.map(({ key }) => key)).toEqual(['first']);
  });

  it('writes no changes of a refused command that triggered a deadline', async () => {
    const { queue, clock, changes } = openQueue(new MemoryJournal());
    await queue.execute(open());
    const sender = { account: accountNo(1), credential: credentialNo(1) };
    await queue.execute({ type: 'heartbeat', time: clock.now(), timeout: durationMs(1000), ...sender });
    const time = epochMs(START + 5000);
    const events = await queue.execute({ ...open(), time }, [{ table: 'setting', key: 'refused', value: 1 }]);
    expect(types(events)).toEqual(['heartbeatLapsed', 'refused']);
    expect(changes).toEqual([]);
  });

  it('refuses tasks and reads above the limit', async () => {
    const { queue, journal } = openQueue(new HeldJournal(), { maxWaiting: 2 });
    const first = queue.execute(open());
    const waiting = [queue.execute(deposit(1)), queue.execute(deposit(1))];
    await expect(queue.execute(deposit(1))).rejects.toMatchObject({ code: 'RATE_LIMITED' });
    const reads = [queue.read(() => 1), queue.read(() => 2)];
    expect(() => queue.read(() => 3)).toThrow('rate limited');
    journal.release();
    journal.release();
    await Promise.all([first, ...waiting, ...reads]);
  });

  it('closes when the last batch has ended', async () => {
    const { queue, journal } = openQueue(new HeldJournal());
    const first = queue.execute(open());
    const second = queue.execute(deposit(1));
    let isClosed = false;
    const closing = queue.close().then(() => {
      isClosed = true;
    });
    await expect(queue.execute(deposit(1))).rejects.toMatchObject({ code: 'EXCHANGE_CLOSING' });
    journal.release();
    await first;
    await settle();
    expect(isClosed).toBe(false);
    journal.release();
    await Promise.all([second, closing]);
    expect(queue.read(({ accountCount }) => accountCount)).toBe(1);
    await queue.close();
  });
});
