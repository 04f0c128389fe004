import { describe, expect, it } from 'vitest';
import { halfspread } from './halfspread.ts';
import { SHORT_RUN, strategyWith, workspace } from './workspace.ts';

describe('a strategy that fails', { concurrent: true }, () => {
  it.each([
    ['returns a promise that is rejected', '{ async onBook() { throw new Error("late"); } }', /returned a promise/],
    ['returns a promise from onStop', '{ async onStop() { throw new Error("late"); } }', /failed in onStop.*a promise/],
    [
      'throws a value that cannot be converted to text',
      '{ onBook() { throw Object.create(null); } }',
      /a value without a text/,
    ],
    ['assigns a field of a market', '{ onBook(m) { m.position = 9; } }', /failed in onBook at .*TypeError: /],
    [
      'assigns the description of a market',
      '{ onBook(m) { m.info.market = 7; } }',
      /failed in onBook at .*TypeError: /,
    ],
    ['ends the process', '{ onBook() { process.exit(0); } }', /^error: the process ended before the command did/],
    ['never finishes loading', '{}', /^error: the process ended before the command did/],
    ['defines an unknown handler', '{ onBok() {} }', /no handler "onBok" \(did you mean "onBook"\?/],
  ])('ends the backtest with code 4 and without a report when it %s', async (_what, handlers, message) => {
    const { folder, write, reports } = workspace(
      SHORT_RUN.replace('ladder', './odd').replace(/params:[\s\S]*?tapes/, 'tapes'),
    );
    const source = strategyWith('odd', handlers);
    write('odd/strategy.ts', handlers === '{}' ? `await new Promise(() => {});\n${source}` : source);
    const { code, stdout, stderr } = await halfspread(['backtest', 'run.yaml'], folder);
    expect(stderr).toMatch(message);
    expect({ code, stdout, reports: reports() }).toEqual({ code: 4, stdout: '', reports: [] });
  });

  it.each(['backtest', 'config check'])('makes %s exit with code 4 when its schema throws', async (command) => {
    const { folder, write } = workspace(SHORT_RUN.replace('ladder', './odd').replace(/params:[\s\S]*?tapes/, 'tapes'));
    const bang = 'z.strictObject({}).transform(() => { throw new TypeError("bang"); })';
    write('odd/strategy.ts', strategyWith('odd', '{}').replace('z.strictObject({})', bang));
    const { code, stderr } = await halfspread([...command.split(' '), 'run.yaml'], folder);
    expect(stderr).toMatch(/^error: .*strategy "odd" failed in params: TypeError: bang/);
    expect(code).toBe(4);
  });

  it.each([
    [
      'a timer',
      'setTimeout(() => { throw new TypeError("bang"); }, 0)',
      /TypeError: bang \(file:.*strategy\.ts:\d+:\d+\)\. /,
    ],
    ['a promise', 'Promise.reject(new TypeError("bang"))', /TypeError: bang \(file:.*strategy\.ts:\d+:\d+\)\. /],
    ['a promise, with a reason that has no stack,', 'Promise.reject("bang")', /ended the run: bang\. /],
  ])(
    'ends the backtest with code 4, one message and no report when it starts %s that fails later',
    async (_what, code, message) => {
      const { folder, write, reports } = workspace(
        SHORT_RUN.replace('ladder', './odd').replace(/params:[\s\S]*?tapes/, 'tapes'),
      );
      write('odd/strategy.ts', strategyWith('odd', `{ onStart() { ${code}; } }`));
      const ended = await halfspread(['backtest', 'run.yaml'], folder);
      expect(ended.stderr).toMatch(/^error: an uncaught error ended the run: .*\n$/);
      expect(ended.stderr).toMatch(message);
      expect({ ...ended, stderr: '', reports: reports() }).toEqual({ code: 4, stdout: '', stderr: '', reports: [] });
      const { stderr } = await halfspread(['backtest', 'run.yaml', '--debug'], folder);
      expect(/\n {4}at /.test(stderr)).toBe(code.includes('TypeError'));
    },
  );

  it('cannot keep the process alive with a timer', async () => {
    const { folder, write, reports } = workspace(
      SHORT_RUN.replace('ladder', './odd').replace(/params:[\s\S]*?tapes/, 'tapes'),
    );
    write('odd/strategy.ts', `setInterval(() => {}, 1_000);\n${strategyWith('odd', '{}')}`);
    expect(await halfspread(['backtest', 'run.yaml', '--quiet'], folder)).toMatchObject({ code: 0, stderr: '' });
    expect(reports()).toHaveLength(1);
  });

  it('ends the backtest with code 4 when it returns an invalid intent', async () => {
    const { folder, write, reports } = workspace(
      SHORT_RUN.replace('ladder', './odd').replace(/params:[\s\S]*?tapes/, 'tapes'),
    );
    write('odd/strategy.ts', strategyWith('odd', '{ onBook: () => [{ type: "pray" }] as never }'));
    const { code, stderr } = await halfspread(['backtest', 'run.yaml'], folder);
    expect(stderr).toMatch(/pray/);
    expect({ code, reports: reports() }).toEqual({ code: 4, reports: [] });
  });

  it.each([
    ['is missing', './bad', undefined, /bad: there is no such file/],
    ['is not valid TypeScript', './bad', 'export default {', /bad\/strategy\.ts.*syntax error/],
    [
      'exports something else',
      './bad',
      'export default 7;\n',
      /bad\/strategy\.ts, default export: it is 7, not an object/,
    ],
  ])('ends the backtest with code 3 when its source %s', async (_what, name, source, message) => {
    const { folder, write, reports } = workspace(SHORT_RUN.replace('ladder', name));
    if (source !== undefined) write('bad/strategy.ts', source);
    const { code, stderr } = await halfspread(['backtest', 'run.yaml'], folder);
    expect(stderr).toMatch(message);
    expect({ code, reports: reports() }).toEqual({ code: 3, reports: [] });
  });
});
