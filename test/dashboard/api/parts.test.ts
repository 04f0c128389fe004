import { appendFileSync, mkdirSync, utimesSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { AuditLog } from '../../../src/dashboard/api/audit.ts';
import { assessHealth } from '../../../src/dashboard/api/health.ts';
import { findPath, listReports, listStudies } from '../../../src/dashboard/api/report-pages.ts';
import { Sessions } from '../../../src/dashboard/api/sessions.ts';
import { streamLatest } from '../../../src/dashboard/api/value-stream.ts';
import { newFolder } from '../../cli/halfspread.ts';
import { marketLine, report } from '../reports.ts';

describe('a stream of states', () => {
  it('delivers the newest state to a slow reader, and skips older ones', async () => {
    let send = (_: number): void => {};
    let isEnded = false;
    const stream = streamLatest<number>((push) => {
      send = push;
      push(1);
      return () => {
        isEnded = true;
      };
    });
    expect(await stream.next()).toEqual({ value: 1, done: false });
    send(2);
    send(3);
    expect(await stream.next()).toEqual({ value: 3, done: false });
    const waiting = stream.next();
    await stream.return();
    expect(await waiting).toEqual({ value: undefined, done: true });
    expect(isEnded).toBe(true);
  });
});

describe('sessions', () => {
  const START = 1_000_000;

  it('are opened by the exact token only', () => {
    const sessions = new Sessions({ token: 'a'.repeat(32) });
    expect(sessions.signIn('a'.repeat(31), '::1', START).ok).toBe(false);
    const opened = sessions.signIn('a'.repeat(32), '::1', START);
    expect(opened).toMatchObject({ ok: true, role: 'OPERATOR' });
    expect(sessions.find(opened.ok ? opened.id : undefined, START)?.role).toBe('OPERATOR');
    expect(sessions.find('b'.repeat(43), START)).toBeUndefined();
  });

  it('have the role of their password', () => {
    const sessions = new Sessions({ operatorPassword: 'operator-password', viewerPassword: 'viewer-password' });
    expect(sessions.signIn('viewer-password', '::1', START)).toMatchObject({ ok: true, role: 'VIEWER' });
    expect(sessions.signIn('operator-password', '::1', START)).toMatchObject({ ok: true, role: 'OPERATOR' });
  });

  it('end when they are not used for twelve hours, and at sign-out', () => {
    const sessions = new Sessions({ token: 'a'.repeat(32) });
    const opened = sessions.signIn('a'.repeat(32), '::1', START);
    const id = opened.ok ? opened.id : '';
    expect(sessions.find(id, START + 12 * 3_600_000)).toBeDefined();
    expect(sessions.find(id, START + 25 * 3_600_000)).toBeUndefined();
    const again = sessions.signIn('a'.repeat(32), '::1', START);
    sessions.signOut(again.ok ? again.id : '');
    expect(sessions.find(again.ok ? again.id : '', START)).toBeUndefined();
  });

  it('delay an address after wrong guesses, also with the right secret, until a minute has passed', () => {
    const sessions = new Sessions({ token: 'a'.repeat(32) });
    for (let attempt = 0; attempt < 5; attempt += 1)
      expect(sessions.signIn('wrong', '10.0.0.1', START)).toEqual({ ok: false, retryAfterS: 0 });
    expect(sessions.signIn('a'.repeat(32), '10.0.0.1', START + 1_000)).toEqual({ ok: false, retryAfterS: 59 });
    expect(sessions.signIn('a'.repeat(32), '10.0.0.2', START + 1_000).ok).toBe(true);
    expect(sessions.signIn('a'.repeat(32), '10.0.0.1', START + 60_000).ok).toBe(true);
  });

  it('delay all addresses when guesses come from many', () => {
    const sessions = new Sessions({ token: 'a'.repeat(32) });
    for (let attempt = 0; attempt < 50; attempt += 1) sessions.signIn('wrong', `10.0.0.${attempt}`, START);
    expect(sessions.signIn('a'.repeat(32), '10.0.1.1', START + 1_000).ok).toBe(false);
  });
});

describe('the audit log', () => {
  const entry = {
    time: 1,
    who: 'OPERATOR',
    from: '::1',
    bot: 'demo',
    action: 'kill',
    details: '{}',
    done: true,
    text: 'killed',
  } as const;

  it('returns the newest entries first, and skips invalid lines', () => {
    const path = join(newFolder(), 'audit.jsonl');
    const audit = new AuditLog(path);
    expect(audit.read(10)).toEqual([]);
    audit.add(entry);
    appendFileSync(path, '{"time":1,"who"\n');
    audit.add({ ...entry, time: 2 });
    expect(audit.read(10).map(({ time }) => time)).toEqual([2, 1]);
  });

  it('keeps the entry that follows a line that was cut off', () => {
    const path = join(newFolder(), 'audit.jsonl');
    const audit = new AuditLog(path);
    audit.add(entry);
    appendFileSync(path, '{"time":2,"who"');
    audit.add({ ...entry, time: 3 });
    expect(audit.read(10).map(({ time }) => time)).toEqual([3, 1]);
  });

  it('reports why an action could not be written, and does not stop the action', () => {
    expect(new AuditLog(join(newFolder(), 'none', 'audit.jsonl')).add(entry)).toContain('not written to');
  });
});

describe('studies', () => {
  it('are the databases of the folder, with the times of their logs', () => {
    const folder = newFolder();
    writeFileSync(join(folder, 'width.study'), 'a database');
    writeFileSync(join(folder, 'width.study-wal'), 'its log');
    utimesSync(join(folder, 'width.study'), 1, 1);
    utimesSync(join(folder, 'width.study-wal'), 2, 2);
    writeFileSync(join(folder, 'width.yaml'), 'no study');
    expect(listStudies(folder, () => null)).toEqual([
      { id: 'width.study', title: 'width', time: 2_000, bytes: 17, url: '/studies/width.study', run: null },
    ]);
    expect(findPath(folder, 'width.study', 'study')).toBe(join(folder, 'width.study'));
    expect(findPath(join(folder, 'studies'), '../width.study', 'study')).toBeUndefined();
  });
});

describe('reports', () => {
  it('are the HTML pages of the folder, with their titles, the newest first', () => {
    const folder = newFolder();
    writeFileSync(join(folder, 'a.html'), '<!doctype html><title>ladder on a match</title>');
    writeFileSync(join(folder, 'Süd & <b>.html'), '<!doctype html><title>A &amp; &lt;b&gt;</title>');
    utimesSync(join(folder, 'Süd & <b>.html'), 1, 1);
    writeFileSync(join(folder, 'notes.txt'), 'no page');
    mkdirSync(join(folder, 'b.html'));
    expect(listReports(folder).map(({ id, title, url }) => ({ id, title, url }))).toEqual([
      { id: 'a.html', title: 'ladder on a match', url: '/reports/a.html' },
      { id: 'Süd & <b>.html', title: 'A & <b>', url: '/reports/S%C3%BCd%20%26%20%3Cb%3E.html' },
    ]);
    expect(listReports(join(folder, 'nowhere'))).toEqual([]);
  });

  it.each(['../secret.html', '..', '/etc/passwd', '.html', 'a/b.html', 'x\0.html', '%2e%2e.html'])(
    'the path %j does not leave the folder',
    (name) => {
      const folder = newFolder();
      for (const path of ['reports/a', 'secret.html', 'reports/.html', 'reports/a/b.html', 'reports/%2e%2e.html']) {
        mkdirSync(dirname(join(folder, path)), { recursive: true });
        if (path.endsWith('.html')) writeFileSync(join(folder, path), 'secret');
      }
      expect(findPath(join(folder, 'reports'), name, 'page')).toBeUndefined();
    },
  );
});

describe('the health of a bot', () => {
  const now = 10_000;
  const seen = { seenAt: now, problem: undefined };

  it.each([
    ['QUOTING', 'when it quotes both sides', report()],
    [
      'KILLED',
      'when trading is killed, also without a connection',
      report({ mode: 'KILLED', killReason: 'day loss', link: 'DOWN' }),
    ],
    ['LINK_DOWN', 'when its connection is down, also when it is paused', report({ link: 'DOWN', mode: 'PAUSED' })],
    ['COMPARING', 'when its account differs from the one at the venue', report({ reconciled: 'disagrees' })],
    ['PAUSED', 'when it is paused', report({ mode: 'PAUSED' })],
    ['REDUCING', 'when it only reduces positions', report({ mode: 'REDUCING' })],
    ['IDLE', 'when the venue is halted', report({ venueMode: 'HALTED' })],
    ['IDLE', 'when it has no quotes', report({}, { ownBid: null, ownAsk: null })],
    ['ONE_SIDED', 'when it has no bid', report({}, { ownBid: null })],
    [
      'ONE_SIDED',
      'when one of its markets has no quotes',
      report({ markets: [marketLine(), marketLine({ slug: 'snow', ownBid: null, ownAsk: null })] }),
    ],
    ['STALE', 'when its book is 31 s old', report({}, { bookAgeMs: 31_000 })],
    [
      'STALE',
      'when its book is missing 31 s after the start',
      report({ startedAt: 0, now: 31_000 }, { bookAgeMs: null }),
    ],
    [
      'QUOTING',
      'when its book is missing 29 s after the start',
      report({ startedAt: 0, now: 29_000 }, { bookAgeMs: null }),
    ],
    ['QUOTING', 'when its book is as old as the limit allows', report({ maxBookAgeMs: 60_000 }, { bookAgeMs: 60_000 })],
    ['STALE', 'when its book is older than a low limit', report({ maxBookAgeMs: 1_000 }, { bookAgeMs: 1_001 })],
    ['QUOTING', 'when its book is old, but no limit is set', report({ maxBookAgeMs: null }, { bookAgeMs: 600_000 })],
    ['IDLE', 'when its market accepts no orders', report({}, { acceptingOrders: false })],
  ] as const)('is %s %s', (health, _, botReport) => {
    expect(assessHealth({ ...seen, report: botReport }, now).health).toBe(health);
  });

  it('is UNREACHABLE when it sends nothing for 2 s, or cannot be reached', () => {
    expect(assessHealth({ ...seen, report: report() }, now + 2_001).health).toBe('UNREACHABLE');
    expect(assessHealth({ ...seen, report: report(), problem: 'no bot runs there' }, now)).toEqual({
      health: 'UNREACHABLE',
      healthReason: 'no bot runs there',
    });
    expect(assessHealth({ report: undefined, seenAt: undefined, problem: undefined }, now).health).toBe('UNREACHABLE');
  });
});
