import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { newFolder } from './halfspread.ts';
import { loggedField, serving } from './serving.ts';

const CATEGORY = { slug: 'tests', name: 'Tests' };
const MARKET = {
  question: 'Will it hold?',
  rules: 'As tested.',
  category: 'tests',
  resolution_date: '2100-01-01T00:00:00Z',
};

describe('halfspread serve', () => {
  it('has the same state after SIGKILL as after a normal end', async () => {
    const folder = newFolder();
    writeFileSync(join(folder, 'venue.yaml'), 'chain: { model: manual }\n');
    const db = ['--db', 'venue.db', '--config', 'venue.yaml'];
    const first = await serving(db, folder);
    await first.operate('put-category', CATEGORY);
    expect(await first.operate('create-market', MARKET)).toMatchObject({ ok: true });
    expect(await first.operate('open-market', { market: 'will-it-hold' })).toMatchObject({
      result: { status: 'OPEN' },
    });
    expect(await first.operate('halt', { market: 'will-it-hold' })).toMatchObject({ ok: true });
    const status = await first.operate('status');
    await first.stop('SIGKILL');

    const second = await serving(db, folder, first.token);
    expect(await second.operate('status')).toEqual(status);
    expect(await second.query('{ market(slug: "will-it-hold") { status acceptingOrders category { name } } }')).toEqual(
      {
        data: { market: { status: 'OPEN', acceptingOrders: false, category: { name: 'Tests' } } },
      },
    );
    expect(await second.operate('actions')).toMatchObject({ result: { length: 4 } });
    await second.stop('SIGTERM');
    const hash = loggedField(second, 'exchange: stopped', 'hash');

    const third = await serving(db, folder);
    expect(third.token).toBeUndefined();
    expect(loggedField(third, 'exchange: recovered', 'hash')).toBe(hash);
    await third.stop('SIGTERM');
  });

  it('renews the operators’ token only on request', async () => {
    const folder = newFolder();
    const first = await serving(['--db', 'venue.db'], folder);
    await first.stop('SIGTERM');
    const second = await serving(['--db', 'venue.db', '--new-operator-token'], folder);
    expect(second.token).not.toBe(first.token);
    expect(await second.operate('status')).toMatchObject({ ok: true });
    const old = { authorization: `Bearer ${first.token}`, 'content-type': 'application/json' };
    const refused = await fetch(`${second.url}/operator`, { method: 'POST', headers: old, body: '{}' });
    expect(refused.status).toBe(401);
    await second.stop('SIGTERM');
  });
});
