/** Secrets appear in no log, no error and no output of `inspect`. */
import { mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { inspect } from 'node:util';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { epochMs } from '../../../src/domain/index.ts';
import { fileMailSender, logMailSender } from '../../../src/server/access/emails.ts';
import { ALL_OPERATIONS } from '../../protocol/generated/operations.ts';
import { bearer, logIn, openVenue, unwrap, type Venue } from './harness.ts';

let venue: Venue;
beforeEach(async () => {
  venue = await openVenue();
});
afterEach(() => venue.close());

describe('secrets', () => {
  it('are not in the database, in logs or in inspected objects', async () => {
    const { accessToken, refreshToken, caller } = await logIn(venue);
    const { data } = await venue.request(
      ALL_OPERATIONS.createApiKey,
      { input: { label: 'k', scopes: ['READ'] } },
      caller,
    );
    const { secret } = unwrap(data?.createApiKey);
    await venue.request(ALL_OPERATIONS.me, {}, bearer(secret));
    await venue.request(ALL_OPERATIONS.refreshSession, { refreshToken });
    await venue.request(ALL_OPERATIONS.refreshSession, { refreshToken });
    const [hashKey] = venue.store.registry.load('secret');
    const output = [
      inspect(venue.access, { depth: 12, showHidden: true, maxArrayLength: null, maxStringLength: null }),
      inspect(venue.context(bearer(secret)), { depth: 12, showHidden: true }),
      JSON.stringify(venue.logged),
      JSON.stringify(venue.store.registry.load('session')),
      JSON.stringify(venue.store.registry.load('apiKey')),
    ].join('\n');
    const secrets = [accessToken, secret].map((token) => token.slice(-64));
    for (const each of [...secrets, ...refreshToken.split('_').slice(1), String(hashKey?.value)]) {
      expect(each.length).toBeGreaterThanOrEqual(32);
      expect(output).not.toContain(each);
    }
  });

  it('are not in errors for invalid requests', async () => {
    const token = `pmr_${'1'.repeat(32)}_${'2'.repeat(64)}`;
    const { errors } = await venue.request(ALL_OPERATIONS.refreshSession, { refreshToken: token });
    expect(errors).toEqual([{ message: 'UNAUTHORIZED', path: ['refreshSession'] }]);
    expect(JSON.stringify(venue.logged)).not.toContain('1111');
  });
});

describe('a mail sender', () => {
  it('with a file appends a JSON line for each mail, and only the owner can read the file', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'outbox-'));
    const file = join(folder, 'mail.jsonl');
    const mailSender = fileMailSender(file);
    await mailSender.send({ to: 'a@b.example', code: '000001', expiresAt: epochMs(0) });
    await mailSender.send({ to: 'c@d.example', code: '000002', expiresAt: epochMs(1) });
    expect(readFileSync(file, 'utf8')).toBe(
      '{"to":"a@b.example","code":"000001","expiresAt":"1970-01-01T00:00:00.000Z"}\n' +
        '{"to":"c@d.example","code":"000002","expiresAt":"1970-01-01T00:00:00.001Z"}\n',
    );
    expect(statSync(file).mode & 0o777).toBe(0o600);
    rmSync(folder, { recursive: true });
  });

  it('rejects a mail when its file cannot be written', async () => {
    const mailSender = fileMailSender('/nowhere/mail.jsonl');
    await expect(mailSender.send({ to: 'a@b.example', code: '1', expiresAt: epochMs(0) })).rejects.toThrow('ENOENT');
  });

  it('without a file writes the code to the log', async () => {
    const logged: unknown[] = [];
    const note = (fields: object): void => void logged.push(fields);
    await logMailSender({ info: note, warn: note, error: note }).send({
      to: 'a@b.example',
      code: '7',
      expiresAt: epochMs(0),
    });
    expect(logged).toEqual([{ to: 'a@b.example', code: '7', expiresAt: '1970-01-01T00:00:00.000Z' }]);
  });
});
