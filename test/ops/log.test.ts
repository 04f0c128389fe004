import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createLog, Redactor } from '../../src/ops/index.ts';
import { REDACTED } from '../../src/ops/log/redactor.ts';

const KEY = '0x4c0883a69102937d6231471b5dbb6204fe5129617082792ae468d01a3f362318';

function logged(redactor: Redactor, work: (log: ReturnType<typeof createLog>) => void): string {
  let text = '';
  const write = (line: string): void => {
    text += line;
  };
  work(createLog({ level: 'debug', redactor, write }));
  return text;
}

/** Generates trees that contain a secret as a value, inside a longer text, or as a key. */
function treeWithSecret(secret: string) {
  const leaf = fc.oneof(
    fc.constant<unknown>(secret),
    fc.string().map((text) => `${text}${secret}${text}`),
    fc.constant(new Error(`failed with ${secret}`, { cause: { secret } })),
    fc.constant(new Map([[secret, secret]])),
    fc.constant({ [secret]: 1 }),
    fc.constant(new URL(`https://venue.example/?key=${encodeURIComponent(secret)}`)),
    fc.constant(Buffer.from(secret)),
  );
  return fc.letrec((tie) => ({
    tree: fc.oneof(
      { maxDepth: 5 },
      leaf,
      fc.array(tie('tree'), { minLength: 1, maxLength: 3 }),
      fc.record({ a: tie('tree'), list: tie('tree') }),
    ),
  })).tree;
}

describe('the log of a bot', () => {
  it('never shows a key, wherever it appears and however it is written', () => {
    const redactor = new Redactor();
    redactor.addSecret(KEY);
    const forms = [KEY, KEY.slice(2), KEY.toUpperCase().replace('0X', '0x'), Buffer.from(KEY).toString('base64')];
    fc.assert(
      fc.property(fc.constantFrom(...forms).chain(treeWithSecret), (fields) => {
        const text = logged(redactor, (log) => {
          log.info({ fields }, `said ${KEY}`);
          log.child({ fields }).warn(`and ${KEY.slice(2)}`);
          log.error(new Error(`broke with ${KEY}`, { cause: fields }));
        });
        expect(text.toLowerCase()).not.toContain(KEY.slice(2));
        expect(text).not.toContain(Buffer.from(KEY).toString('base64').slice(0, 40));
      }),
      { numRuns: 300 },
    );
  });

  it('hides values under the name of a secret at any depth, and keeps counts', () => {
    const secrets = { apiKey: 'abc', private_key: 'abc', headers: { Authorization: 'Bearer abc' }, password: ['abc'] };
    const text = logged(new Redactor(), (log) => log.info({ a: [{ secrets }], tokens: 3, refresh_token: null }, 'x'));
    expect(text).not.toContain('abc');
    expect(JSON.parse(text)).toMatchObject({ tokens: 3, refresh_token: null, a: [{ secrets: REDACTED }] });
    const deep = logged(new Redactor(), (log) => log.info({ a: [{ inner: secrets }] }, 'x'));
    expect(deep).not.toContain('abc');
  });

  it('shows a member called __proto__ like any other', () => {
    const inner: unknown = JSON.parse('{"__proto__":{"a":1},"token":"abc"}');
    const line = logged(new Redactor(), (log) => log.info({ inner }, 'x'));
    expect(line).toContain('{"__proto__":{"a":1},"token":"[redacted]"}');
    const outer: object = JSON.parse('{"__proto__":{"a":1}}');
    expect(logged(new Redactor(), (log) => log.info(outer, 'x'))).toContain('"__proto__":{"a":1}');
  });

  it('shows hashes, ids and errors as they are', () => {
    const hash = `0x${'ab'.repeat(32)}`;
    const error = new Error('no such market', { cause: new Error('inner') });
    const line = JSON.parse(logged(new Redactor(), (log) => log.warn({ hash, err: error, n: 1n }, 'asked')));
    expect(line).toMatchObject({ hash, msg: 'asked', n: '1', err: { name: 'Error', message: 'no such market' } });
    expect(line.err.cause.message).toBe('inner');
  });

  it('hides the latest of many tokens, and stops searching for older ones', () => {
    const redactor = new Redactor();
    redactor.addSecret(KEY);
    const tokens = Array.from({ length: 10_000 }, (_, at) => `token-${at}-of-a-session`);
    for (const token of tokens) redactor.addShortLivedSecret(token);
    expect(tokens.filter((token) => redactor.text(token) === REDACTED).length).toBeLessThan(10);
    expect(redactor.text(`${tokens.at(-1)} ${tokens.at(-3)} ${KEY}`)).toBe(`${REDACTED} ${REDACTED} ${REDACTED}`);
  });

  it('handles cycles, getters that throw and endless depth', () => {
    const circle: Record<string, unknown> = { name: 'a' };
    Object.assign(circle, { self: circle, list: [circle] });
    Object.defineProperty(circle, 'bad', { enumerable: true, get: () => fail() });
    const deep = Array.from({ length: 100 }).reduce<unknown>((inner) => ({ inner }), 'end');
    expect(new Redactor().value({ circle, deep })).toMatchObject({
      circle: { name: 'a', self: '[circular]', bad: '[unreadable]' },
    });
  });

  it('shows other values beside a map or an object that cannot be read', () => {
    const map = new Map([[Object.create(null), 1]]);
    const { proxy, revoke } = Proxy.revocable({}, {});
    revoke();
    const fields = { map, list: [proxy], name: 'a' };
    expect(new Redactor().value(fields)).toEqual({ map: '[unreadable]', list: ['[unreadable]'], name: 'a' });
  });
});

function fail(): never {
  throw new Error('not to be read');
}
