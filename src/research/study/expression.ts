/** Parses formulas over named values, such as `pnl - 0.5 * drawdown`. */
import { InputFault } from '../../domain/index.ts';

/** @param lookUp returns the value of a name */
export type Formula = (lookUp: (name: string) => number) => number;

const FUNCTIONS: Readonly<Record<string, (...values: number[]) => number>> = {
  min: Math.min,
  max: Math.max,
  abs: Math.abs,
  sqrt: Math.sqrt,
};
const MAX_CHARACTERS = 500;
const MAX_DEPTH = 30;

/**
 * A formula has `+ - * /`, brackets, numbers, `min`, `max`, `abs`, `sqrt` and these names.
 * @param field of the configuration, for faults
 * @throws InputFault with the position of the error
 */
export function parseFormula(field: string, text: string, names: readonly string[]): Formula {
  if (text.length > MAX_CHARACTERS) throw new InputFault(field, text, `at most ${MAX_CHARACTERS} characters`);
  const tokens = [...text.matchAll(/\s*(\d+(?:\.\d+)?(?:e[+-]?\d+)?|[a-z_]\w*|\S)/gi)];
  let next = 0;
  let depth = 0;

  const token = (): string | undefined => tokens[next]?.[1];
  const refuse = (expected: string): never => {
    const at = tokens[next];
    const place =
      at === undefined ? 'at the end' : `at character ${at.index + at[0].length - (at[1]?.length ?? 0) + 1}`;
    throw new InputFault(field, text, `${expected} ${place}`);
  };
  const take = (wanted: string): void => {
    if (token() !== wanted) refuse(`"${wanted}"`);
    next += 1;
  };

  const sum = (): Formula => {
    let left = product();
    for (let sign = token(); sign === '+' || sign === '-'; sign = token()) {
      next += 1;
      const [augend, addend, factor] = [left, product(), sign === '+' ? 1 : -1];
      left = (lookUp) => augend(lookUp) + factor * addend(lookUp);
    }
    return left;
  };
  const product = (): Formula => {
    let left = factor();
    for (let sign = token(); sign === '*' || sign === '/'; sign = token()) {
      next += 1;
      const [one, other, isProduct] = [left, factor(), sign === '*'];
      left = (lookUp) => (isProduct ? one(lookUp) * other(lookUp) : one(lookUp) / other(lookUp));
    }
    return left;
  };
  const factor = (): Formula => {
    depth += 1;
    if (depth > MAX_DEPTH) refuse(`at most ${MAX_DEPTH} levels of brackets and signs`);
    const found = parseFactor();
    depth -= 1;
    return found;
  };
  const parseFactor = (): Formula => {
    const word = token() ?? '';
    if (word === '-') {
      next += 1;
      const operand = factor();
      return (lookUp) => -operand(lookUp);
    }
    if (word === '(') {
      next += 1;
      const inner = sum();
      take(')');
      return inner;
    }
    if (/^\d/.test(word)) {
      next += 1;
      return () => Number(word);
    }
    const call = Object.hasOwn(FUNCTIONS, word) ? FUNCTIONS[word] : undefined;
    if (call !== undefined) {
      next += 1;
      const values = list();
      return (lookUp) => call(...values.map((value) => value(lookUp)));
    }
    if (!names.includes(word)) refuse(`a number, "(", min, max, abs, sqrt or one of ${names.join(', ')}`);
    next += 1;
    return (lookUp) => lookUp(word);
  };
  const list = (): readonly Formula[] => {
    take('(');
    const values = [sum()];
    while (token() === ',') {
      next += 1;
      values.push(sum());
    }
    take(')');
    return values;
  };

  const formula = sum();
  if (next < tokens.length) refuse('an operator');
  return formula;
}
