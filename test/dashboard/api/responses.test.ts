import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { fakeBot } from '../fake-bot.ts';
import { OPERATOR, openServer, post, statusOf, VIEWER } from './dashboard-server.ts';

describe('an action that cannot be written to the audit log', () => {
  it('is carried out, with a note in its answer', async () => {
    const bot = await fakeBot();
    const dashboard = await openServer([bot]);
    mkdirSync(join(dashboard.folder, 'audit.jsonl'));
    const cookie = await dashboard.signIn(OPERATOR);
    const { body } = await dashboard.query('mutation { act(bot: "bot-0", action: KILL) { done text } }', cookie);
    expect(JSON.parse(body).data.act).toMatchObject({
      done: true,
      text: expect.stringMatching(/^kill is done \(not written to /),
    });
    expect(bot.commands).toEqual([{ command: 'kill', args: {} }]);
  });
});

describe('responses', () => {
  it('contain no secret', async () => {
    const dashboard = await openServer([await fakeBot()], VIEWER);
    const cookie = await dashboard.signIn(OPERATOR);
    const { body } = await dashboard.query(
      '{ viewer { role version } bots { id state { account venue } } audit { text details } reports { id } }',
      cookie,
    );
    for (const secret of [OPERATOR, VIEWER, cookie.split('=')[1] ?? 'none']) expect(body).not.toContain(secret);
  });

  it.each([
    '/reports/..%2Fsecret.html',
    '/reports/%2e%2e%2fsecret.html',
    '/reports/../secret.html',
    '/../audit.jsonl',
    '/reports/none.html',
    '/studies/..%2Fsecret.study',
    '/studies/none.study',
  ])('have status 404 for a path outside of the folder of reports: %s', async (path) => {
    const dashboard = await openServer([]);
    const cookie = await dashboard.signIn(OPERATOR);
    expect(await statusOf(dashboard.port, path, { cookie })).toBe(404);
  });

  it('give a report its own policy, which isolates it from the page', async () => {
    const dashboard = await openServer([]);
    const cookie = await dashboard.signIn(OPERATOR);
    const response = await fetch(`http://127.0.0.1:${dashboard.port}/reports/one.html`, { headers: { cookie } });
    expect(response.headers.get('content-security-policy')).toMatch(/^sandbox allow-scripts; default-src 'none'/);
  });

  it('refuse documents and bodies that are too large', async () => {
    const dashboard = await openServer([]);
    const cookie = await dashboard.signIn(OPERATOR);
    const many = Array.from({ length: 2_000 }, (_, index) => `a${index}: bots { id }`).join(' ');
    expect((await dashboard.query(`{ ${many} }`, cookie)).status).toBe(400);
    expect((await post(dashboard.port, '/graphql', { query: 'x'.repeat(200_000) }, { cookie })).status).toBe(413);
    expect((await dashboard.query('{ nothing }', cookie)).status).toBe(400);
  });
});
