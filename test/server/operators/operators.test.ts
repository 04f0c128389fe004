import { afterEach, describe, expect, it } from 'vitest';
import { OperatorFault } from '../../../src/server/operators/command.ts';
import { OPERATOR_COMMANDS, OperatorToken } from '../../../src/server/operators/operators.ts';
import { presentTransparency } from '../../../src/server/presenters/resolution-presenter.ts';
import { createMarket, type EngineHarness, openEngineHarness } from '../engine-harness.ts';

const ADDRESS = `0x${'Ab'.repeat(20)}`;
const harnesses: EngineHarness[] = [];
afterEach(async () => {
  for (const harness of harnesses.splice(0)) await harness.close();
});

function openHarness(): EngineHarness {
  const harness = openEngineHarness();
  harnesses.push(harness);
  return harness;
}

/** A harness with one open market. */
async function openMarket(): Promise<{ readonly harness: EngineHarness; readonly id: string }> {
  const harness = openHarness();
  const id = await createMarket(harness);
  await harness.operate('open-market', { market: id });
  return { harness, id };
}

describe("operators' commands", () => {
  it('move a market from OPEN to its final state', async () => {
    const { harness, id } = await openMarket();
    const { operate, pass } = harness;
    const status = async () => await operate('market', { market: 'will-it-hold' });
    expect(await operate('halt', { market: id, note: 'a look' })).toMatchObject({ status: 'OPEN', halted: true });
    expect(await operate('resume', { market: id })).toMatchObject({ halted: false });
    expect(await operate('change-tick', { market: id, tick_bps: 50 })).toMatchObject({ tickBps: 50 });
    expect(await operate('change-minimum', { market: id, min_order_micro_shares: 5_000_000 })).toMatchObject({
      minOrderMicroShares: 5_000_000,
    });
    expect(await operate('move-date', { market: id, resolution_date: '2026-01-05T00:00:00Z' })).toMatchObject({
      resolutionDate: '2026-01-05T00:00:00.000Z',
    });
    expect(await operate('close-early', { market: id })).toMatchObject({ status: 'PENDING_RESOLUTION' });
    await pass(86_400_000);
    expect(await status()).toMatchObject({ status: 'RESOLUTION_FAILED' });
    await expect(operate('resolve', { market: id, decision: 'YES' })).rejects.toMatchObject({ code: 'CONFLICT' });
    expect(await operate('retry', { market: id })).toMatchObject({ status: 'PENDING_RESOLUTION' });
    await pass(2 * 86_400_000);
    expect(await operate('resolve', { market: id, decision: 'UNCERTAIN' })).toMatchObject({ status: 'RESOLVED' });
    await pass(7_200_000);
    expect(await status()).toMatchObject({ status: 'PENDING_BLOCKCHAIN', step: 'REPORT_PAYOUT' });
    expect(await operate('report-payout', { market: id })).toMatchObject({ status: 'RESOLVED_UNCERTAIN' });
  });

  it('record the transaction hash of a deployment only when the operator gives it', async () => {
    const { harness, id } = await openMarket();
    const other = await createMarket(harness, { question: 'And this?' });
    const hash = `0x${'0'.repeat(63)}1`;
    await harness.operate('open-market', { market: other, transaction_hash: hash });
    const reported = [id, other].map((market) => {
      const record = harness.view.markets.find((each) => each.id === market);
      return record === undefined ? undefined : presentTransparency(record).transactionHashes;
    });
    expect(reported).toEqual([[], [hash]]);
  });

  it('void a market and report a failed deployment', async () => {
    const { harness, id } = await openMarket();
    expect(await harness.operate('void', { market: id })).toMatchObject({ status: 'CANCELLED' });
    const other = await createMarket(harness, { question: 'And this?' });
    expect(await harness.operate('fail-chain', { market: other, permanent: false })).toMatchObject({
      status: 'PENDING_BLOCKCHAIN',
    });
    expect(await harness.operate('fail-chain', { market: other })).toMatchObject({ status: 'CANCELLED' });
  });

  it('create a market once when create-market is repeated', async () => {
    const harness = openHarness();
    const id = '22222222-2222-4222-8222-222222222222';
    expect(await createMarket(harness, { id })).toBe(id);
    expect(await createMarket(harness, { id })).toBe(id);
    expect(harness.view.markets).toHaveLength(1);
    await expect(createMarket(harness, { id, question: 'Another?' })).rejects.toMatchObject({
      status: 409,
      code: 'CONFLICT',
    });
  });

  it('deposit money and withdraw up to the balance', async () => {
    const harness = openHarness();
    const { queue, clock, operate } = harness;
    await expect(operate('credit', { address: ADDRESS, cents: 100 })).rejects.toThrow(
      /there is no account .*first login/,
    );
    const address = ADDRESS.toLowerCase();
    await queue.execute({ type: 'openAccount', time: clock.now(), address, unlimited: false });
    expect(await operate('credit', { address: ADDRESS, cents: 12_345 })).toMatchObject({ availableUsd: '$123.45' });
    await expect(operate('credit', { address: ADDRESS, cents: -12_346 })).rejects.toMatchObject({ status: 409 });
    expect(await operate('credit', { address: ADDRESS, cents: -12_345 })).toMatchObject({ availableUsd: '$0.00' });
    const ledger = harness.store.archive.ledger(1, {}, { maxRows: 10, direction: 'forward', from: undefined });
    expect(ledger.rows.map(({ kind }) => kind).toSorted()).toEqual(['ADJUSTMENT', 'DEPOSIT']);
  });

  it('change mode, configuration and announcement', async () => {
    const { operate, view } = openHarness();
    expect(await operate('mode', { mode: 'CANCEL_ONLY' })).toEqual({ mode: 'CANCEL_ONLY' });
    expect(await operate('configure', { spread_bps: 500, quorum: 1 })).toMatchObject({ spread_bps: 500, quorum: 1 });
    expect(view.config.spreadBps).toBe(500);
    await expect(operate('configure', { quorum: 9 })).rejects.toThrow(/quorum\): got 9, limit 3 count/);
    await expect(operate('configure', { tick_bps: 7 })).rejects.toThrow(/INVALID_TICK, tick_bps/);
    expect(await operate('notice', { message: 'soon', next_restart_at: '2026-01-01T01:00:00Z' })).toEqual({
      message: 'soon',
      nextRestartAt: '2026-01-01T01:00:00.000Z',
    });
    expect(await operate('notice')).toEqual({ message: null, nextRestartAt: null });
  });

  it('change categories and topics', async () => {
    const { operate } = openHarness();
    await expect(operate('put-topic', { slug: 'a', name: 'A', category: 'none' })).rejects.toThrow(
      /Create it with put-category/,
    );
    await operate('put-category', { slug: 'one', name: 'One' });
    await operate('put-category', { slug: 'two', name: 'Two', active: false });
    const topic = await operate('put-topic', { slug: 'a', name: 'A', category: 'one' });
    expect(await operate('put-topic', { slug: 'a', name: 'B', category: 'one' })).toEqual({
      ...(typeof topic === 'object' ? topic : {}),
      name: 'B',
    });
    await expect(operate('put-topic', { slug: 'a', name: 'A', category: 'two' })).rejects.toMatchObject({
      status: 409,
    });
    const terms = { question: 'Q?', rules: 'R', resolution_date: '2027-01-01T00:00:00Z' };
    await expect(operate('create-market', { ...terms, category: 'two' })).rejects.toThrow(
      /category: there is no "two"/,
    );
    await expect(operate('create-market', { ...terms, category: 'one', topics: ['b'] })).rejects.toThrow(/topics/);
  });

  it.each([
    [[], /expected a JSON object with "command"/],
    [{ command: 7 }, /expected a JSON object with "command"/],
    [{ command: 'constructor' }, /there is no "constructor"/],
    [{ command: 'halt' }, /^market: expected a string, but it is missing/],
    [{ command: 'halt', market: 'x', nota: 1 }, /^nota: expected a known key \(did you mean "note"\?/],
    [{ command: 'halt', market: 'x' }, /there is no market "x"/],
    [{ command: 'mode', mode: 'HALTD' }, /^mode: expected one of "NORMAL".*did you mean "HALTED"\?/],
    [{ command: 'credit', address: '0x12', cents: 1 }, /^address: expected an address: 0x and 40 hex digits/],
    [{ command: 'credit', address: ADDRESS, cents: 1.5 }, /^cents: expected a whole number, got 1\.5/],
    [{ command: 'put-category', slug: 'No Slug', name: 'x' }, /^slug: expected a slug/],
    [{ command: 'markets', most: 0 }, /^most: expected at least 1, got 0/],
  ])('are refused for the input %j with the expected form', async (body, message) => {
    const { operators, view } = openHarness();
    const refused = operators.run(body, '192.0.2.1');
    await expect(refused).rejects.toBeInstanceOf(OperatorFault);
    await expect(refused).rejects.toThrow(message);
    expect(view.seq).toBe(0);
  });

  it('are logged, including refused commands but not reads', async () => {
    const { harness, id } = await openMarket();
    await expect(harness.operate('resume', { market: id })).rejects.toThrow(
      /CONFLICT.*: the state of the market does not allow this/,
    );
    await harness.operate('markets');
    await harness.operate('snapshot');
    const actions = await harness.operate('actions', { most: 3 });
    const at = '2026-01-01T00:00:00.000Z';
    expect(actions).toMatchObject([
      { at, command: 'snapshot', arguments: '{}', from: '127.0.0.1', outcome: 'done' },
      { command: 'resume', outcome: expect.stringMatching(/^CONFLICT: /) },
      { command: 'open-market', outcome: 'done' },
    ]);
  });

  it('have a description of each command and argument', () => {
    for (const [name, { summary, schema }] of Object.entries(OPERATOR_COMMANDS)) {
      expect({ name, summary }).toMatchObject({ summary: expect.stringMatching(/^[A-Z].*\.$/) });
      for (const [key, field] of Object.entries(schema.shape)) {
        expect({ name, key, description: field.description }).toMatchObject({
          description: expect.stringMatching(/\.$/),
        });
      }
    }
  });
});

describe("the operators' token", () => {
  it('is shown once, is stored as a hash and can be renewed', async () => {
    const { store } = openHarness();
    const first = new OperatorToken(store.registry, { renew: false });
    await new Promise((done) => store.registry.sync(done));
    const stored = JSON.stringify(store.registry.load('secret'));
    expect(stored).not.toContain(first.newToken?.slice(4));
    const second = new OperatorToken(store.registry, { renew: false });
    expect(second.newToken).toBeUndefined();
    expect(second.isValid(`Bearer ${first.newToken}`)).toBe(true);
    for (const invalid of [
      undefined,
      '',
      'Bearer',
      `Bearer ${first.newToken}0`,
      `Bearer pmo_${'0'.repeat(64)}`,
      first.newToken,
    ]) {
      expect(second.isValid(invalid)).toBe(false);
    }
    const third = new OperatorToken(store.registry, { renew: true });
    expect([third.isValid(`Bearer ${first.newToken}`), third.isValid(`bearer ${third.newToken}`)]).toEqual([
      false,
      true,
    ]);
  });
});
