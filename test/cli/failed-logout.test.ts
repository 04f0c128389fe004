/** A `--venue` command whose session cannot be ended at the venue. */
import { writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { afterThisTest } from '../cleanup.ts';
import { openLiveVenue } from '../server/live-venue.ts';
import { newFolder } from './halfspread.ts';
import { newKey, runInProcess, setSecret } from './trading.ts';

/** Starts a proxy of a venue that refuses the end of a session with a message that contains the session's token. */
async function openProxy(venue: string) {
  const tokens: string[] = [];
  const server = createServer(async (request, answer) => {
    let body = '';
    for await (const part of request.setEncoding('utf8')) body += part;
    const { authorization = '' } = request.headers;
    const headers = { 'content-type': 'application/json', ...(authorization === '' ? {} : { authorization }) };
    if (body.includes('revokeSession')) {
      const token = authorization.replace('Bearer ', '');
      tokens.push(token);
      answer.writeHead(200, headers).end(JSON.stringify({ errors: [{ message: `no store for ${token}` }] }));
      return;
    }
    const received = await fetch(`${venue}/graphql`, { method: 'POST', headers, body });
    answer.writeHead(received.status, { 'content-type': 'application/json' }).end(await received.text());
  });
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
  afterThisTest.add(() => {
    server.close();
    server.closeAllConnections();
  });
  const address = server.address();
  return { tokens, url: `http://127.0.0.1:${typeof address === 'object' ? address?.port : 0}` };
}

it('a logout that the venue refuses is a warning without the token, and the command succeeds', async () => {
  const venue = await openLiveVenue();
  afterThisTest.add(() => venue.close());
  const { tokens, url } = await openProxy(venue.url);
  const key = newKey();
  setSecret('TEST_LOGOUT_KEY', key);
  const folder = newFolder();
  const text = `version: 1\nmode: live\nvenue: { url: "${url}", audience: "${venue.url}" }\naccount: { key: { env: TEST_LOGOUT_KEY } }\nmarkets: { slugs: [rain] }\nstrategy: ladder\ndb: bot.db\n`;
  writeFileSync(join(folder, 'bot.yaml'), text);
  const { code, stdout, stderr } = await runInProcess(['orders', '--venue', 'bot.yaml', '--json'], folder);
  expect([code, JSON.parse(stdout)]).toEqual([0, { orders: [] }]);
  expect(stderr).toBe(
    'warning: the session could not be ended and will expire: the venue refused: no store for [redacted]\n',
  );
  expect(tokens.map((token) => token.length > 20)).toEqual([true]);
  expect(stderr).not.toContain(key.slice(2));
});
