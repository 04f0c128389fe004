/** The watchdog process against a venue with its own GraphQL documents. */
import { createServer } from 'node:http';
import process from 'node:process';
import { PassThrough } from 'node:stream';
import { expect, it, vi } from 'vitest';
import { runWatchdog } from '../../../src/app/live/run-watchdog.ts';
import { watchdogTexts } from '../../../src/app/live/watchdog.ts';
import { OperationTexts } from '../../../src/venues/service/transport/index.ts';

it('the watchdog uses the venue’s own documents when they are configured', async () => {
  const received: string[] = [];
  const venue = createServer((request, response) => {
    let body = '';
    request.on('data', (piece) => {
      body += piece;
    });
    request.on('end', () => {
      const { query } = JSON.parse(body);
      received.push(query);
      const cancelled = { cancelAllOrders: { cancelledIds: [], newEpoch: '1' } };
      const safety = { tradingSafety: { openOrderCount: 0, orderEpoch: '1', mode: 'NORMAL', heartbeatArmed: false } };
      response.end(JSON.stringify({ data: query.includes('stopEverything') ? cancelled : safety }));
    });
  });
  await new Promise<void>((resolve) => void venue.listen(0, '127.0.0.1', resolve));
  const address = venue.address();
  const port = typeof address === 'object' ? address?.port : 0;
  const operations = new OperationTexts();
  operations.override(
    'CancelAllOrders.graphql',
    'mutation CancelAllOrders { cancelAllOrders: stopEverything { cancelledIds newEpoch seq } }',
  );
  const input = new PassThrough();
  const output: string[] = [];
  const stderr = vi.spyOn(process.stderr, 'write').mockImplementation((text) => {
    output.push(String(text));
    return true;
  });
  const ended = runWatchdog(input);
  const hello = { type: 'hello', pid: 1, url: `http://127.0.0.1:${port}`, headers: {}, token: 't', silenceMs: 60_000 };
  const line = {
    ...hello,
    alerts: { targets: [] },
    commands: { resume: 'r', cancelAll: 'c' },
    killFilePath: '/nowhere',
    texts: watchdogTexts(operations),
  };
  input.end(`${JSON.stringify(line)}\n`);
  expect(await ended).toBe('death');
  stderr.mockRestore();
  // The lines have the format of the bot's log, because both use the same stream.
  // Ignores warnings of Node about the process of the tests.
  const lines = output.filter((text) => !text.startsWith('(node:')).map((text) => JSON.parse(text));
  expect(lines.map(({ msg }) => msg)).toEqual([
    'watchdog: process 1 died. Cancelling every order of the account.',
    'watchdog: No order is open at the venue. Start the bot again: it recovers automatically.',
  ]);
  expect(lines.every(({ level, time }) => level === 50 && time > 0)).toBe(true);
  expect(received.some((query) => query.includes('stopEverything'))).toBe(true);
  expect(received.some((query) => /\bcancelAllOrders\s*\{/.test(query))).toBe(false);
  venue.close();
});
