/** The requests that commands send to the socket of a running bot. */
import { writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { newFolder } from './halfspread.ts';
import { runInProcess } from './trading.ts';

/** A bot's socket that answers each request with `text` and stores the requests. */
async function listen(text: string) {
  const folder = newFolder();
  const requests: unknown[] = [];
  const server = createServer((socket) => {
    socket.on('data', (line) => {
      const { id, command, args } = JSON.parse(String(line));
      requests.push({ command, args });
      socket.end(`${JSON.stringify({ v: 1, id, ok: true, result: { text } })}\n`);
    });
  });
  await new Promise<void>((resolve) => server.listen(join(folder, 'bot.sock'), resolve));
  return { requests, db: join(folder, 'bot.db'), close: () => server.close() };
}

describe('market add', () => {
  it('sends parameters with their YAML types: numbers and booleans', async () => {
    const bot = await listen('ladder is on rain');
    const params = ['--param', 'order_amount=5', '--param', 'inventory_skew_enabled=false', '--param', 'note=a b'];
    const { code, stdout } = await runInProcess(['market', 'add', 'rain', '--db', bot.db, ...params]);
    bot.close();
    expect({ code, stdout }).toEqual({ code: 0, stdout: 'ladder is on rain\n' });
    const expected = { order_amount: 5, inventory_skew_enabled: false, note: 'a b' };
    expect(bot.requests).toEqual([{ command: 'market-add', args: { market: 'rain', params: expected } }]);
  });

  it('explains the syntax of a parameter', async () => {
    const { code, stderr } = await runInProcess(['market', 'add', 'rain', '--db', 'x.db', '--param', 'order_amount']);
    expect(stderr).toContain('order_amount: expected name=value, for example order_amount=5');
    expect(code).toBe(2);
  });
});

describe('the configuration of a bot', () => {
  const writeConfiguration = (db: string): string => {
    const file = join(dirname(db), 'bot.yaml');
    const lines = [
      "venue: { url: 'http://127.0.0.1:1' }",
      'markets: { slugs: [rain] }',
      'strategy: ladder',
      `db: ${db}`,
    ];
    writeFileSync(file, lines.join('\n'));
    return file;
  };

  it.each([
    [['set', 'order_amount=5'], { command: 'set', args: { name: 'order_amount', value: 5 } }],
    [['pause'], { command: 'pause', args: {} }],
    [['market', 'remove', 'rain'], { command: 'market-remove', args: { market: 'rain' } }],
    [['signal', 'send', 'p', '0.5'], { command: 'signal', args: { name: 'p', value: 0.5 } }],
  ] as const)('is given as the last operand or with --config: %j', async (command, expected) => {
    const bot = await listen('done');
    const file = writeConfiguration(bot.db);
    for (const position of [[file], ['--config', file], [file, '--config', file]]) {
      const { code, stdout, stderr } = await runInProcess([...command, ...position]);
      expect({ code, stdout, stderr }).toEqual({ code: 0, stdout: 'done\n', stderr: '' });
    }
    bot.close();
    expect(bot.requests).toEqual([expected, expected, expected]);
  });

  it('is refused when two different ones are named', async () => {
    const { code, stderr } = await runInProcess(['status', 'a.yaml', '--config', 'b.yaml']);
    expect(stderr).toContain('--config: expected only one file; the operand already names a.yaml, got "b.yaml"');
    expect(code).toBe(2);
  });
});

describe('set', () => {
  it('sends the market and the strategy', async () => {
    const bot = await listen('done');
    await runInProcess(['set', 'order_amount=5', '--db', bot.db, '--market', 'rain', '--strategy', 'wide']);
    bot.close();
    const args = { name: 'order_amount', value: 5, market: 'rain', strategy: 'wide' };
    expect(bot.requests).toEqual([{ command: 'set', args }]);
  });
});

it.each([['set'], ['market', 'add', 'rain', '--param']])('%s refuses an infinite number', async (...command) => {
  for (const value of ['1e400', '-.inf']) {
    const { code, stderr } = await runInProcess([...command, `order_amount=${value}`, '--db', 'none.db']);
    expect([code, stderr]).toEqual([2, `error: order_amount: expected a finite number, got "${value}"\n`]);
  }
});

describe('cancel', () => {
  it('sends the number of the order', async () => {
    const bot = await listen('order 12 in rain is no longer open; the venue confirmed it');
    const { code, stdout } = await runInProcess(['cancel', '12', '--db', bot.db, '--reason', 'typo']);
    bot.close();
    expect({ code, stdout }).toMatchObject({ code: 0, stdout: expect.stringContaining('the venue confirmed it') });
    expect(bot.requests).toEqual([{ command: 'cancel', args: { order: 12, reason: 'typo' } }]);
  });

  it.each(['', '0', '-1', '1.5', 'all', '1e3'])('refuses an order "%s"', async (order) => {
    const { code, stderr } = await runInProcess(['cancel', '--db', 'x.db', '--', order]);
    expect(stderr).toContain('the number of an order, as `orders` shows it');
    expect(code).toBe(2);
  });
});

describe('market confirm-fee', () => {
  it('sends the market and the fee', async () => {
    const bot = await listen('orders in rain are signed for a fee of up to 80 bps; its fee is 80 bps');
    const { code, stdout } = await runInProcess(['market', 'confirm-fee', 'rain', '80', '--db', bot.db]);
    bot.close();
    expect({ code, stdout }).toMatchObject({ code: 0, stdout: expect.stringContaining('up to 80 bps') });
    expect(bot.requests).toEqual([{ command: 'market-confirm-fee', args: { market: 'rain', feeBps: 80 } }]);
  });

  it.each(['', '-1', '0.5', '80 bps', '1e3', '1001'])('refuses a fee of "%s"', async (fee) => {
    const { code, stderr } = await runInProcess(['market', 'confirm-fee', 'rain', '--db', 'x.db', '--', fee]);
    expect(stderr).toContain('whole basis points from 0 to 1000');
    expect(code).toBe(2);
  });
});

describe('market remove', () => {
  it('accepts no parameters', async () => {
    const { code, stderr } = await runInProcess([
      'market',
      'remove',
      'rain',
      '--db',
      'x.db',
      '--param',
      'order_amount=5',
    ]);
    expect(stderr).toContain("unknown option '--param'");
    expect(code).toBe(2);
  });
});
