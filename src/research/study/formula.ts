/** Parses formulas over named values, such as `pnl - 0.5 * drawdown`. */
import { InputFault } from '../../domain/index.ts';

/** @param lookUp returns the value of a name */
export type Formula = (lookUp: (name: string) => number) => number;

const { min, max, abs, sqrt } = Math;
const FUNCTIONS: Readonly<Record<string, (...values: number[]) => number>> = { min, max, abs, sqrt };
type Operators = ReadonlyMap<string | undefined, (left: number, right: number) => number>;
const SUMS: Operators = new Map([
  ['+', (left, right) => left + right],
  ['-', (left, right) => left - right],
]);
const PRODUCTS: Operators = new Map([
  ['*', (left, right) => left * right],
  ['/', (left, right) => left / right],
]);
const MAX_CHARACTERS = 500;
const MAX_DEPTH = 30;

/**
 * Parses a formula of `+ - * /`, brackets, numbers, `min`, `max`, `abs`, `sqrt` and the given names.
 * @param field of the configuration, for faults
 * @throws InputFault with the position of the error
 */
export function parseFormula(field: string, text: string, names: readonly string[]): Formula {
  if (text.length > MAX_CHARACTERS) throw new InputFault(field, text, `at most ${MAX_CHARACTERS} characters`);
  const tokens = [...text.matchAll(/\s*(\d+(?:\.\d+)?(?:e[+-]?\d+)?|[a-z_]\w*|\S)/gi)];
  let next = 0;
  let depth = 0;

  const currentToken = (): string | undefined => tokens[next]?.[1];
  const refuse = (expected: string, index = next): never => {
    const found = tokens[index];
    const position =
      found === undefined
        ? 'at the end'
        : `at character ${found.index + found[0].length - (found[1]?.length ?? 0) + 1}`;
    throw new InputFault(field, text, `${expected} ${position}`);
  };
  const expectToken = (expected: string): void => {
    if (currentToken() !== expected) refuse(`"${expected}"`);
    next += 1;
  };

  /** Parses operands with operators of equal precedence, from left to right. */
  const parseChain = (operand: () => Formula, operators: Operators): Formula => {
    let formula = operand();
    for (let apply = operators.get(currentToken()); apply !== undefined; apply = operators.get(currentToken())) {
      next += 1;
      const [operator, left, right] = [apply, formula, operand()];
      formula = (lookUp) => operator(left(lookUp), right(lookUp));
    }
    return formula;
  };
  const parseSum = (): Formula => parseChain(parseProduct, SUMS);
  const parseProduct = (): Formula => parseChain(parseNested, PRODUCTS);
  const parseNested = (): Formula => {
    depth += 1;
    if (depth > MAX_DEPTH) refuse(`at most ${MAX_DEPTH} levels of brackets and signs`);
    const found = parseFactor();
    depth -= 1;
    return found;
  };
  const parseFactor = (): Formula => {
    const token = currentToken() ?? '';
    next += 1;
    if (token === '-') {
      const operand = parseNested();
      return (lookUp) => -operand(lookUp);
    }
    if (token === '(') {
      const inner = parseSum();
      expectToken(')');
      return inner;
    }
    if (/^\d/.test(token)) return () => Number(token);
    const call = Object.hasOwn(FUNCTIONS, token) ? FUNCTIONS[token] : undefined;
    if (call !== undefined) {
      const values = parseArguments();
      return (lookUp) => call(...values.map((value) => value(lookUp)));
    }
    if (!names.includes(token)) refuse(`a number, "(", min, max, abs, sqrt or one of ${names.join(', ')}`, next - 1);
    return (lookUp) => lookUp(token);
  };
  const parseArguments = (): readonly Formula[] => {
    expectToken('(');
    const values = [parseSum()];
    while (currentToken() === ',') {
      next += 1;
      values.push(parseSum());
    }
    expectToken(')');
    return values;
  };

  const formula = parseSum();
  if (next < tokens.length) refuse('an operator');
  return formula;
}
