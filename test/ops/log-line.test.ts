import { describe, expect, it } from 'vitest';
import { readableLine } from '../../src/ops/log/log.ts';

const TIME = Date.UTC(2026, 10, 22, 10, 28, 59, 217);

describe('a log line on a terminal', () => {
  it('has the time, the message, and its fields', () => {
    const line = { level: 30, time: TIME, account: '0xa8', markets: 5, db: '/a b/live.db', msg: 'trading' };
    expect(readableLine(`${JSON.stringify(line)}\n`)).toBe(
      '10:28:59 trading  account=0xa8 markets=5 db="/a b/live.db"\n',
    );
  });

  it('shows its level, and a stack below', () => {
    const err = { name: 'Error', message: 'mine', stack: 'Error: mine\n    at strategy.ts:6' };
    expect(readableLine(JSON.stringify({ level: 50, time: TIME, err, row: 3, msg: 'failed' }))).toBe(
      '10:28:59 ERROR failed  row=3\n    Error: mine\n        at strategy.ts:6\n',
    );
    expect(readableLine(JSON.stringify({ level: 40, time: TIME, msg: 'slow' }))).toBe('10:28:59 WARN slow\n');
  });

  it('is shown unchanged when it is not a log line', () => {
    for (const text of ['plain words\n', '[1]\n', '{"cut":\n', '']) expect(readableLine(text)).toBe(text);
    expect(readableLine('{}')).toBe('--:--:-- \n');
  });
});
