import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { parseRunSpec, runSpecSchema } from '../../src/backtest/index.ts';
import { canonicalJson, runIdentity } from '../../src/backtest/run-identity.ts';
import { InputFault } from '../../src/domain/index.ts';

const MINIMAL = { strategy: 'ladder', tapes: ['a.tape'] };

describe('the run spec', () => {
  it('adds defaults, and parsing the result again does not change it', () => {
    const spec = parseRunSpec(MINIMAL);
    expect(spec).toMatchObject({
      seed: 1,
      capital_usd: 1_000,
      latency: { model: 'constant', feed_ms: 50, entry_ms: 80, response_ms: 40 },
      queue: { model: 'risk-averse' },
      limits: { min_order_shares: 1, min_bet_usd: 0.1, max_bet_usd: 100_000, max_exposure_usd: 1_000_000 },
      report_dir: 'reports',
    });
    expect(parseRunSpec(spec)).toEqual(spec);
    expect(parseRunSpec(JSON.parse(JSON.stringify(spec)))).toEqual(spec);
  });

  it.each([
    [{ strategy: 'a' }, /^tapes: /],
    [{ ...MINIMAL, tapes: [] }, /^tapes: /],
    [{ ...MINIMAL, sed: 3 }, /^sed: .*did you mean "seed"/],
    [{ ...MINIMAL, seed: 1.5 }, /^seed: /],
    [{ ...MINIMAL, capital_usd: 0 }, /^capital_usd: /],
    [{ ...MINIMAL, capital_usd: 0.0000001 }, /^capital_usd: expected at most six decimals/],
    [{ ...MINIMAL, capital_usd: 4_000_000_000 }, /^capital_usd: .*1000000000/],
    [{ ...MINIMAL, from: 'yesterday' }, /^from: expected a time such as/],
    [{ ...MINIMAL, risk: { max_positon: 1 } }, /^risk\.max_positon: .*did you mean "max_position"/],
    [{ ...MINIMAL, latency: { model: 'constant', fed_ms: 1 } }, /^latency\.fed_ms: .*did you mean "feed_ms"/],
    [{ ...MINIMAL, limits: { spread_bps: -1 } }, /^limits\.spread_bps: /],
    [{ ...MINIMAL, strategy_sha256: 'abc' }, /^strategy_sha256: /],
  ])('reports the wrong field: %j', (value, message) => {
    expect(() => parseRunSpec(value)).toThrow(message);
  });

  it('has a JSON schema for editors, in which every field has a description', () => {
    const schema = z.toJSONSchema(runSpecSchema, { io: 'input' });
    expect(schema.required).toEqual(['tapes']);
    expect(schema.additionalProperties).toBe(false);
    for (const [name, property] of Object.entries(schema.properties ?? {})) {
      expect(property, name).toHaveProperty('description');
    }
  });
});

function ladder(params: unknown) {
  return { name: 'ladder', strategy: { name: 'ladder', sha256: 'ff' }, params, markets: undefined };
}

describe('the identity of a run', () => {
  const identity = (change: object, tapes: readonly string[] = ['t']) =>
    runIdentity(parseRunSpec({ ...MINIMAL, ...change }), [ladder({ gamma: 1 })], tapes);

  it('changes with each field that can change a step', () => {
    const base = identity({});
    for (const change of [
      { seed: 2 },
      { capital_usd: 1_001 },
      { queue: { model: 'log' } },
      { risk: { max_order: 1 } },
      { execution: { size_tolerance_pct: 0 } },
      { limits: { spread_bps: 1 } },
      { liquidity: 'immutable' },
      { from: '2020-01-01T00:00:00Z' },
    ]) {
      expect(identity(change).spec, JSON.stringify(change)).not.toBe(base.spec);
    }
  });

  it('does not change with file locations and the report’s options', () => {
    const base = identity({});
    for (const change of [
      { tapes: ['elsewhere/a.tape'] },
      { strategy: 'other/ladder' },
      { report_dir: null },
      { uptime: { min_size: 5 } },
      { in_sample: true },
      { strategy_sha256: 'f'.repeat(64) },
    ]) {
      expect(identity(change), JSON.stringify(change)).toEqual(base);
    }
  });

  it('names a parameter that JSON cannot represent', () => {
    const spec = parseRunSpec(MINIMAL);
    const identify = (params: unknown) => () => runIdentity(spec, [ladder(params)], []);
    expect(identify({ sizes: [1, { least: 5n }] })).toThrow(InputFault);
    expect(identify({ sizes: [1, { least: 5n }] })).toThrow(
      'params.sizes[1].least: expected a JSON value, such as a number or a string, got 5n',
    );
    for (const value of [new Map([['a', 1]]), new Set([1]), /a/, () => 1, Symbol('a'), new (class Own {})()])
      expect(identify({ value })).toThrow('params.value: expected a JSON value, such as a number or a string, got ');
    for (const value of [Number.NaN, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY])
      expect(identify({ sizes: [{ value }] })).toThrow(`params.sizes[0].value: expected a finite number, got ${value}`);
    const circular: { self?: unknown } = {};
    circular.self = { circular };
    expect(identify(circular)).toThrow(
      'params.self.circular: expected a value that does not contain itself, got an object',
    );
    const shared = { of: 1 };
    expect(identify({ a: shared, b: shared, when: new Date(0), none: null })).not.toThrow();
  });

  it('has sorted keys', () => {
    expect(canonicalJson({ b: [{ d: 1, c: undefined }], a: null })).toBe('{"a":null,"b":[{"d":1}]}');
  });
});
