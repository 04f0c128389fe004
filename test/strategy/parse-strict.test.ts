import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { InputFault } from '../../src/domain/index.ts';
import { parseStrict } from '../../src/strategy/index.ts';

const schema = z.strictObject({
  gamma: z.number().gt(0).max(1).default(0.1),
  levels: z.int().min(1).max(20).default(1),
  step: z.number().multipleOf(0.5).optional(),
  mode: z.enum(['tight', 'wide']).default('tight'),
  name: z.string().min(2).optional(),
  sizes: z
    .array(z.strictObject({ shares: z.number(), side: z.literal('bid') }))
    .max(2)
    .default([]),
  model: z
    .discriminatedUnion('type', [
      z.strictObject({ type: z.literal('power'), n: z.number() }),
      z.strictObject({ type: z.literal('log'), base: z.number() }),
    ])
    .optional(),
  either: z.union([z.number(), z.strictObject({ from: z.strictObject({ hour: z.number() }) })]).optional(),
  tags: z.array(z.string()).optional(),
  dry: z.boolean().optional(),
  rate: z.union([z.literal('from tape'), z.int().min(0).max(10_000)]).optional(),
  cap: z.union([z.number().positive(), z.literal('none')]).optional(),
  words: z.partialRecord(z.enum(['OPEN', 'HALTED']), z.string()).optional(),
  limits: z.record(z.string(), z.strictObject({ loss: z.number() })).optional(),
  price: z.strictObject({ column: z.string(), unit: z.enum(['cents', 'dollars']).optional() }).optional(),
});

describe('parseStrict', () => {
  it('returns the parsed value with defaults', () => {
    expect(parseStrict(schema, { gamma: 1 }, 'params')).toEqual({ gamma: 1, levels: 1, mode: 'tight', sizes: [] });
  });

  it.each([
    [{ gama: 5 }, 'params.gama: expected a known key (did you mean "gamma"? known: gamma, levels, step, mode,'],
    [{ zzzzzz: 5 }, 'params.zzzzzz: expected a known key (known: gamma, levels,'],
    [{ gamma: 0 }, 'params.gamma: expected more than 0, got 0'],
    [{ gamma: 2 }, 'params.gamma: expected at most 1, got 2'],
    [{ gamma: '1' }, 'params.gamma: expected a number (remove the quotes: 1), got "1"'],
    [{ levels: '3' }, 'params.levels: expected a number (remove the quotes: 3), got "3"'],
    [{ levels: '30' }, 'params.levels: expected a number, got "30"'],
    [{ levels: '2.5' }, 'params.levels: expected a number, got "2.5"'],
    [{ cap: '50' }, 'params.cap: expected a number of more than 0 or "none" (remove the quotes: 50), got "50"'],
    [
      { sizes: [{ shares: '5', side: 'bid' }] },
      'params.sizes[0].shares: expected a number (remove the quotes: 5), got',
    ],
    [{ mode: '5' }, 'params.mode: expected one of "tight", "wide", got "5"'],
    [{ levels: 1.5 }, 'params.levels: expected a whole number, got 1.5'],
    [{ levels: 0 }, 'params.levels: expected at least 1, got 0'],
    [{ step: 0.7 }, 'params.step: expected a multiple of 0.5, got 0.7'],
    [{ mode: 'tigth' }, 'params.mode: expected one of "tight", "wide" (did you mean "tight"?), got "tigth"'],
    [{ mode: 'other' }, 'params.mode: expected one of "tight", "wide", got "other"'],
    [{ name: 'x' }, 'params.name: expected at least 2 characters, got "x"'],
    [
      {
        sizes: [
          { shares: 1, side: 'bid' },
          { shares: 'x', side: 'bid' },
        ],
      },
      'params.sizes[1].shares: expected a number, got "x"',
    ],
    [{ sizes: [{ shares: 1, side: 'ask' }] }, 'params.sizes[0].side: expected "bid", got "ask"'],
    [
      { sizes: [{ shares: 1, side: 'bid', prise: 1 }] },
      'params.sizes[0].prise: expected a known key (known: shares, side)',
    ],
    [
      { words: { halted: 'x' } },
      'params.words.halted: expected a known key (did you mean "HALTED"? known: OPEN, HALTED)',
    ],
    [{ words: { CLOSED: 'x' } }, 'params.words.CLOSED: expected a known key (known: OPEN, HALTED)'],
    [{ sizes: [1, 2, 3] }, 'params.sizes: expected at most 2 entries, got a list'],
    [{ sizes: 3 }, 'params.sizes: expected a list, got 3'],
    [{ tags: 'x.tape' }, 'params.tags: expected a list, such as [x.tape], got "x.tape"'],
    [{ tags: { a: 1 } }, 'params.tags: expected a list, got an object'],
    [{ tags: 'a, b' }, 'params.tags: expected a list, such as ["a, b"], got "a, b"'],
    [{ tags: 3 }, 'params.tags: expected a list, got 3'],
    [{ dry: 'yes' }, 'params.dry: expected true or false, got "yes"'],
    [
      { model: { type: 'pwer' } },
      'params.model.type: expected one of "power", "log" (did you mean "power"?), got "pwer"',
    ],
    [{ model: {} }, 'params.model.type: expected one of "power", "log", but it is missing'],
    [{ model: { type: 'power' } }, 'params.model.n: expected a number, but it is missing'],
    [{ model: 'log' }, 'params.model: expected a section of keys, such as { type: log }, got "log"'],
    [{ model: 3 }, 'params.model: expected a section of keys, such as { type: power }, got 3'],
    [{ price: 'best_bid' }, 'params.price: expected a section of keys, such as { column: best_bid }, got "best_bid"'],
    [{ price: 3 }, 'params.price: expected a section of keys (key: value), got 3'],
    [{ rate: 0.05 }, 'params.rate: expected "from tape" or a whole number from 0 to 10000, got 0.05'],
    [{ rate: 'from' }, 'params.rate: expected "from tape" or a whole number from 0 to 10000, got "from"'],
    [{ rate: -1 }, 'params.rate: expected at least 0, got -1'],
    [{ cap: 'non' }, 'params.cap: expected a number of more than 0 or "none", got "non"'],
    [{ either: 'x' }, 'params.either: expected a number or a section of keys (key: value), got "x"'],
    [{ either: { form: 1, from: { hour: 1 } } }, 'params.either.form: expected a known key (did you mean "from"?'],
    [{ model: { type: 'power', m: 2, n: 1 } }, 'params.model.m: expected a known key (known: type, n, base)'],
    [{ either: { from: { hour: 'x' } } }, 'params.either.from.hour: expected a number, got "x"'],
    [
      { limits: { a: { los: 1, loss: 2 } } },
      'params.limits.a.los: expected a known key (did you mean "loss"? known: loss)',
    ],
    [[], 'params: expected a section of keys (key: value), got a list'],
    [undefined, 'params: expected a section of keys (key: value), but it is missing'],
  ])('refuses %j with the error "%s"', (value, message) => {
    const parse = () => parseStrict(schema, value, 'params');
    expect(parse).toThrow(InputFault);
    expect(parse).toThrow(message);
  });

  it('names every unknown key with the nearest known key, also in sections and unions', () => {
    const value = { levels: 0, gama: 5, zzzzzz: 1, limits: { a: { los: 1 } }, either: { from: { huor: 1 } } };
    const { message } = errorOf(() => parseStrict(schema, value, 'params'));
    expect(message).toMatch(/: expected a known key \(did you mean "\w+"\? known: [\w, ]+\)\. Also unknown: params\./);
    for (const text of ['params.gama', 'params.zzzzzz', 'params.limits.a.los', 'params.either.from.huor'])
      expect(message.split(text)).toHaveLength(2);
    for (const known of ['gamma', 'loss', 'hour']) expect(message).toContain(`(did you mean "${known}"?`);
  });

  it('names at most 20 unknown keys and counts the others', () => {
    const value = Object.fromEntries(Array.from({ length: 23 }, (_, index) => [`unknown${index}`, 1]));
    const { message } = errorOf(() => parseStrict(schema, value, 'params'));
    expect(message).toMatch(/params\.unknown19 and 3 more$/);
  });

  it('reports the messages of the schema, with the cause', () => {
    const refined = z.strictObject({ low: z.number(), high: z.number() }).refine(({ low, high }) => low < high, {
      message: 'low below high',
      path: ['low'],
    });
    const fault = errorOf(() => parseStrict(refined, { low: 2, high: 1 }, 'params'));
    expect(fault.message).toBe('params.low: expected low below high, got 2');
    expect(fault.cause).toBeInstanceOf(z.ZodError);
  });
});

function errorOf(work: () => unknown): Error {
  try {
    work();
  } catch (error) {
    if (error instanceof Error) return error;
  }
  throw new Error('nothing was thrown');
}
