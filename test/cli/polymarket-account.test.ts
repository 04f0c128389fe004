/** `--venue` and `doctor` for an account on the embedded venue in Polymarket's dialect, without a bot. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Side } from '@polymarket/clob-client-v2';
import { describe, expect, it } from 'vitest';
import { afterThisTest } from '../cleanup.ts';
import { openPolymarket } from '../server/polymarket/harness.ts';
import { newFolder } from './halfspread.ts';
import { expectDocumented } from './json-page.ts';
import { runInProcess, setSecret } from './trading.ts';

/** Starts a venue with an account that bought 4 YES at 55 cents and 2 at 45, and a bot's folder without these fills. */
async function openAccount() {
  const harness = await openPolymarket();
  afterThisTest.add(() => harness.venue.close());
  const [{ client, address }, other] = [await harness.join(7), await harness.join(8)];
  await other.client.createAndPostOrder({ tokenID: harness.no, price: 0.45, size: 4, side: Side.BUY });
  await client.createAndPostOrder({ tokenID: harness.yes, price: 0.6, size: 4, side: Side.BUY });
  await client.createAndPostOrder({ tokenID: harness.yes, price: 0.45, size: 2, side: Side.BUY });
  await other.client.createAndPostOrder({ tokenID: harness.no, price: 0.55, size: 2, side: Side.BUY });
  await expect
    .poll(async () => (await client.getTrades()).map(({ status }) => status))
    .toEqual(['CONFIRMED', 'CONFIRMED']);
  const page = await fetch(`${harness.url}/gamma/markets/keyset`);
  const { markets } = await page.json();
  const { slug } = markets[0];
  const folder = newFolder();
  setSecret('TEST_ACCOUNT_KEY', `0x${'7'.padStart(64, '5')}`);
  const base = harness.url;
  const venue = `{ url: "${base}", ws_url: "${base.replace('http', 'ws')}/ws", chain_id: 137, polymarket: { gamma_url: "${base}/gamma" } }`;
  const text = `version: 1\nmode: live\nvenue: ${venue}\naccount: { key: { env: TEST_ACCOUNT_KEY } }\nmarkets: { slugs: [${slug}] }\nstrategy: ladder\nparams: { bid_spread: 100, ask_spread: 100, order_amount: 5, max_position: 50 }\ndb: bot.db\n`;
  writeFileSync(join(folder, 'bot.yaml'), text);
  const query = async (command: string): Promise<object> => {
    const { code, stdout, stderr } = await runInProcess([command, '--venue', 'bot.yaml', '--json'], folder);
    expect([code, stderr]).toEqual([0, '']);
    const answer: object = JSON.parse(stdout);
    expectDocumented('--venue', answer);
    return answer;
  };
  return { harness, folder, address, slug, query };
}

describe('an account on Polymarket, without a bot', () => {
  it('shows fills, positions and status from the venue', async () => {
    const { harness, folder, address, slug, query } = await openAccount();
    expect(await query('fills')).toMatchObject({
      fills: [
        {
          market: { slug },
          outcome: 'YES',
          side: 'BUY',
          priceBps: 4_500,
          shares: 2,
          role: 'MAKER',
          status: 'CONFIRMED',
        },
        { market: { slug }, outcome: 'YES', side: 'BUY', priceBps: 5_500, shares: 4, role: 'TAKER' },
      ],
    });
    expect(await query('positions')).toEqual({
      positions: [{ marketId: harness.condition, market: { slug }, outcome: 'YES', shares: 6 }],
    });
    expect(await query('status')).toMatchObject({
      account: address,
      openOrderCount: 0,
      closedOnly: false,
      cash: 9_996_900_000,
    });
    const { stdout } = await runInProcess(['fills', '--venue', 'bot.yaml', '--limit', '1'], folder);
    expect(stdout.split('\n').filter((line) => line.includes(slug))).toHaveLength(1);
    const status = await runInProcess(['status', '--venue', 'bot.yaml'], folder);
    expect(status.stdout).toMatch(/cash +\$9,996\.90/);
  });

  it('is checked by doctor', async () => {
    const { harness, folder, address } = await openAccount();
    const good = await runInProcess(['doctor', 'bot.yaml', '--json'], folder);
    const { findings, fail } = JSON.parse(good.stdout);
    expect([good.code, fail, findings.filter(({ status }: { status: string }) => status === 'fail')]).toEqual([
      0,
      0,
      [],
    ]);
    const names = findings.map(({ name }: { name: string }) => name);
    expect(names).toEqual(
      expect.arrayContaining(['key', 'clock', 'socket', 'market', 'login', 'orders', 'cash', 'allowances']),
    );
    await harness.venue.server.operate('polymarket-approve', { address, asset: 'COLLATERAL', approved: false });
    const bad = await runInProcess(['doctor', 'bot.yaml', '--set', 'markets.slugs=[no-such-market]'], folder);
    expect(bad.code).toBe(2);
    expect(bad.stdout).toMatch(/fail market +.*no-such-market/);
    const revoked = await runInProcess(['doctor', 'bot.yaml'], folder);
    expect(revoked.stdout).toMatch(/fail allowances +0xe111/);
    const nowhere = await runInProcess(
      ['doctor', 'bot.yaml', '--set', 'venue.url="http://127.0.0.1:9/polymarket"'],
      folder,
    );
    expect(nowhere.stdout).toMatch(/fail rest/);
    setSecret('TEST_ACCOUNT_KEY', 'no key');
    const keyless = await runInProcess(['doctor', 'bot.yaml'], folder);
    expect(keyless.stdout).toMatch(/fail key/);
    expect(keyless.stdout).not.toContain('no key\n');
  });
});
