/** A venue on a damaged database does not start, or ends, with exit code 3 and the position of the damage. */
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { describe, expect, it } from 'vitest';
import { halfspread, newFolder } from './halfspread.ts';
import { type Serving, serving } from './serving.ts';

const PRICES = 'query ($id: ID!) { priceHistory(marketId: $id, interval: RAW) { at } }';

async function startVenue(folder: string): Promise<{ readonly venue: Serving; readonly market: unknown }> {
  const venue = await serving(['--db', 'venue.db', '--seed'], folder);
  const listed = JSON.stringify(await venue.operate('markets'));
  return { venue, market: /"id":"([0-9a-f-]{36})"/.exec(listed)?.[1] };
}

function edit(folder: string, sql: string): void {
  const connection = new Database(join(folder, 'venue.db'));
  expect(connection.prepare(sql).run().changes).toBeGreaterThan(0);
  connection.close();
}

describe('a venue on a damaged database', () => {
  it('does not start when a row was changed, and prints table, row and remedy without a stack', async () => {
    const folder = newFolder();
    const { venue } = await startVenue(folder);
    await venue.stop('SIGTERM');
    edit(folder, "UPDATE registry SET value = '{' WHERE name = 'secret' AND key = 'cursor'");
    const { code, stdout, stderr } = await halfspread(['serve', '--port', '0', '--db', 'venue.db'], folder);
    expect({ code, stdout }).toEqual({ code: 3, stdout: '' });
    const file = join(folder, 'venue.db');
    expect(stderr).toBe(
      `error: ${file}, table registry, row name "secret", key "cursor": its checksum is wrong. Put back a good copy of the file. \`npx halfspread journal check ${file}\` lists what is damaged\n`,
    );
  });

  it('starts without acknowledged commands only with --accept-loss, and logs what is missing', async () => {
    const folder = newFolder();
    const { venue } = await startVenue(folder);
    await venue.stop('SIGKILL');
    rmSync(join(folder, 'venue.db-wal'));
    expect((await halfspread(['serve', '--port', '0', '--db', 'venue.db'], folder)).code).toBe(3);
    const again = await serving(['--db', 'venue.db', '--accept-loss'], folder);
    const warned = again.logged().find(({ msg }) => msg.startsWith('a loss was accepted'));
    expect(warned).toMatchObject({
      level: 40,
      lost: expect.stringMatching(/record \d+ .*was acknowledged at 20.*-wal is missing/),
    });
    await again.stop('SIGTERM');
  });

  it('exits with code 3 when it reads a row that was changed during the run', async () => {
    const folder = newFolder();
    const { venue, market } = await startVenue(folder);
    expect(await venue.query(PRICES, { id: market })).toMatchObject({ data: { priceHistory: expect.anything() } });
    edit(folder, 'UPDATE price_points SET yes = yes + 1');
    expect(await venue.query(PRICES, { id: market })).toMatchObject({
      errors: [{ message: expect.stringMatching(/^internal error/) }],
    });
    const { code, stderr } = await venue.end;
    expect(code).toBe(3);
    expect(stderr).toMatch(
      /\nerror: .*venue\.db, table price_points, row market \d+, seq \d+: its checksum is wrong\. Put back/,
    );
  });
});
