import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openSignalSources } from '../../src/app/signal-sources.ts';
import { readLiveFile } from '../../src/config/live-file.ts';
import { Redactor } from '../../src/ops/index.ts';

let folder = '';
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'halfspread-signals-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

function sourcesOf(signals: string) {
  const text = `venue: { url: "http://127.0.0.1:1" }\nmarkets: { slugs: [a] }\nstrategy: ladder\nsignals: ${signals}\n`;
  writeFileSync(join(folder, 'bot.yaml'), text);
  return openSignalSources(readLiveFile('bot.yaml', folder), new Redactor());
}

describe('the signal sources of a configuration', () => {
  it('have paths relative to the configuration, and a subscription as text', () => {
    const [file, socket] = sourcesOf(
      '[{ file: fair.jsonl }, { ws_url: "wss://h/odds", subscribe: { channel: odds }, values: { fair: p } }]',
    );
    expect(file).toEqual({ type: 'file', path: join(folder, 'fair.jsonl') });
    expect(socket).toMatchObject({ type: 'socket', subscribe: '{"channel":"odds"}', values: { fair: 'p' } });
  });

  it.each([
    [
      'a URL of another protocol',
      '[{ url: "file:///etc/passwd", values: { a: p } }]',
      /signals\[0\]\.url: expected a URL that begins with https:/,
    ],
    [
      'a URL that is not one',
      '[{ ws_url: "nowhere?key=hidden", values: { a: p } }]',
      /^(?!.*hidden).*signals\[0\]\.ws_url: expected a URL/,
    ],
    [
      'a URL with a fragment',
      '[{ ws_url: "wss://h/#part", values: { a: p } }]',
      /signals\[0\]\.ws_url: expected .* without a fragment/,
    ],
    [
      'an invalid name of a signal',
      '[{ url: "https://h", values: { "a b": p } }]',
      /signals\[0\]\.values: expected a name of letters/,
    ],
    ['no value', '[{ url: "https://h", values: {} }]', /signals\[0\]\.values: expected at least one signal/],
    [
      'a subscription that contains itself',
      '[{ ws_url: "wss://h", subscribe: &a [*a], values: { a: p } }]',
      /the alias \*a is inside an anchor/,
    ],
    [
      'a secret that is missing',
      '[{ url: "https://h", headers: { key: { env: TEST_NO_SUCH_KEY } }, values: { a: p } }]',
      /signals\[0\]\.headers\.key: .*TEST_NO_SUCH_KEY/,
    ],
  ])('are refused for %s', (_, signals, message) => {
    expect(() => sourcesOf(signals)).toThrow(message);
  });
});
