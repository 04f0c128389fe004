import { describe, expect, it } from 'vitest';
import { parseFormula } from '../../../src/research/study/formula.ts';

const FIGURES: Readonly<Record<string, number>> = { pnl: 12, drawdown: 8, fills: 0 };
const valueAt = (text: string) =>
  parseFormula('objectives[0].maximise', text, Object.keys(FIGURES))((name) => FIGURES[name] ?? 0);
const parse = (text: string) => () => parseFormula('objectives[0].maximise', text, Object.keys(FIGURES));

describe('an objective', () => {
  it.each([
    ['pnl', 12],
    ['pnl - 0.5 * drawdown', 8],
    ['1 - 2 - 3', -4],
    ['24 / 2 / 3', 4],
    ['2 + 3 * 4', 14],
    ['(2 + 3) * 4', 20],
    ['-pnl + -2', -14],
    ['min(pnl, drawdown, 9) + max(1, 2)', 10],
    ['sqrt(abs(-16))', 4],
    ['1.5e1', 15],
    ['  pnl-drawdown  ', 4],
  ])('%s is %d', (text, value) => {
    expect(valueAt(text)).toBe(value);
  });

  it('may be NaN', () => {
    expect(valueAt('fills / fills')).toBeNaN();
  });

  it.each([
    ['pnl drawdown', 'expected an operator at character 5'],
    ['pnl +', 'at the end'],
    ['profit', 'one of pnl, drawdown, fills at character 1'],
    ['(pnl', 'expected ")" at the end'],
    ['min pnl', 'expected "(" at character 5'],
    ['pnl ; process', 'expected an operator at character 5'],
    ['constructor', 'one of pnl'],
    ['__proto__(1)', 'one of pnl'],
    [`${'('.repeat(40)}1${')'.repeat(40)}`, 'at most 30 levels'],
    ['1+'.repeat(300), 'at most 500 characters'],
  ])('%s is refused with the position of the error', (text, message) => {
    expect(parse(text)).toThrow(message);
  });
});
