import { describe, expect, it } from 'vitest';
import { ConfigFault, excerpt } from '../../src/config/config-fault.ts';
import { parseYaml, readYaml } from '../../src/config/yaml-file.ts';

const FILE = `# a comment
strategy: ladder
params:
  order_levels: 3
  "order_amount": 100
tapes:
  - one.tape
  - two.tape
limits: { spread_bps: 20, min_bet_usd: 1 }
empty:
`;

function place({ line, column }: { readonly line: number; readonly column: number }): string {
  return `${line}:${column}`;
}

function faultOf(parse: () => unknown): ConfigFault {
  try {
    parse();
  } catch (fault) {
    if (fault instanceof ConfigFault) return fault;
    throw fault;
  }
  throw new Error('nothing was thrown');
}

describe('a YAML file', () => {
  const yaml = parseYaml(FILE, 'run.yaml');

  it('has its plain values', () => {
    expect(yaml.value).toEqual({
      strategy: 'ladder',
      params: { order_levels: 3, order_amount: 100 },
      tapes: ['one.tape', 'two.tape'],
      limits: { spread_bps: 20, min_bet_usd: 1 },
      empty: null,
    });
  });

  it.each([
    [['strategy'], '2:1', '2:11'],
    [['params', 'order_levels'], '4:3', '4:17'],
    [['params', 'order_amount'], '5:3', '5:19'],
    [['tapes', 1], '8:5', '8:5'],
    [['limits', 'min_bet_usd'], '9:27', '9:40'],
  ])('gives the position of %j', (path, key, value) => {
    expect([place(yaml.placeOfKey(path)), place(yaml.placeOfValue(path))]).toEqual([key, value]);
  });

  it('gives the position of the closest parent for a missing path', () => {
    expect(place(yaml.placeOfValue(['params', 'gamma']))).toBe('3:1');
    expect(place(yaml.placeOfValue(['seed']))).toBe('2:1');
    expect(place(yaml.placeOfValue(['strategy', 'deep', 'deeper']))).toBe('2:1');
    expect(place(yaml.placeOfValue(['tapes', 7]))).toBe('6:1');
  });

  it('gives the position of keys with dots', () => {
    const study = parseYaml(
      'parameters:\n  params.width: { low: 1 }\n  strategies[0].params.width: { low: 2 }\n',
      'a.yaml',
    );
    expect(place(study.placeOfValue(['parameters', 'params', 'width', 'low']))).toBe('2:24');
    expect(place(study.placeOfKey(['parameters', 'strategies', 0, 'params', 'width']))).toBe('3:3');
    expect(place(study.placeOfValue(['parameters', 'params', 'depth']))).toBe('1:1');
  });

  it('shows the line with a mark', () => {
    expect(excerpt(yaml.placeOfValue(['params', 'order_levels']))).toBe(
      '  4 |   order_levels: 3\n    |                 ^\n',
    );
    const hidden = excerpt({ file: 'bot.db', line: 1, column: 5_000, text: '(not shown)' });
    expect(hidden).toBe('  1 | (not shown)\n    |            ^\n');
  });
});

describe('an invalid YAML file', () => {
  it.each([
    ['an unclosed list', 'tapes: [one, two\nseed: 1\n', /^run\.yaml:\d+:\d+: /],
    ['a key twice', 'seed: 1\nseed: 2\n', /^run\.yaml:2:1: Map keys must be unique/],
    ['a tab as indentation', 'params:\n\tgamma: 1\n', /^run\.yaml:2:1: /],
    ['an unknown tag', 'seed: !secret 1\n', /^run\.yaml:1:7: Unresolved tag: !secret/],
    ['a NUL character', 'tapes:\n  - "a\\0b"\n', /^run\.yaml:2:5: a NUL character is in this text: remove it/],
    ['two documents', 'seed: 1\n---\nseed: 2\n', /^run\.yaml:2:1: /],
    ['an alias without an anchor', 'seed: *none\n', /^run\.yaml:1:\d+: Unresolved alias/],
  ])('is refused with line and column: %s', (_what, text, message) => {
    expect(faultOf(() => parseYaml(text, 'run.yaml')).message).toMatch(message);
  });

  it('is refused when its aliases expand without bound', () => {
    const bomb = ['a: &a [x, x, x, x, x, x, x, x, x]'];
    for (const [before, name] of ['ab', 'bc', 'cd', 'de'].map((pair) => [pair[0], pair[1]])) {
      bomb.push(
        `${name}: &${name} [*${before}, *${before}, *${before}, *${before}, *${before}, *${before}, *${before}]`,
      );
    }
    expect(faultOf(() => parseYaml(bomb.join('\n'), 'run.yaml')).message).toMatch(/alias/i);
  });

  it('is refused when it is missing or not text', () => {
    expect(faultOf(() => readYaml('/nowhere/run.yaml', 'run.yaml')).message).toMatch(
      /^run\.yaml: there is no such file/,
    );
    expect(faultOf(() => readYaml('test/fixtures/betfair/1.200806927.gz', 'x.gz')).message).toMatch(/not UTF-8 text/);
    expect(faultOf(() => readYaml('test', 'test')).message).toBe('test: this is a folder. Name a YAML file in it');
  });
});

describe('a YAML file that exceeds a configuration’s limits', () => {
  const lines = (count: number, line: (no: number) => string) =>
    Array.from({ length: count }, (_, no) => line(no)).join('\n');

  it('with thousands of keys is read in less than quadratic time', () => {
    const { value } = parseYaml(
      lines(20_000, (no) => `k${no}:`),
      'x.yaml',
    );
    expect(Object.keys(Object(value))).toHaveLength(20_000);
  });

  it.each([
    ['more aliases than 100', `a: &a x\n${lines(101, (no) => `k${no}: *a`)}`, /x\.yaml:102:7: more than 100 aliases/],
    ['an alias inside its own anchor', 'a: &a [b, *a]\n', /x\.yaml:1:11: the alias \*a is inside an anchor/],
    ['keys that become equal', '"1": a\n1: b\n', /x\.yaml:2:1: Map keys must be unique/],
    ['lists in lists', `${'['.repeat(120)}${']'.repeat(120)}${lines(200, () => '')}`, undefined],
    ['sections in sections', lines(101, (no) => `${' '.repeat(no)}a:`), /this is nested too deeply/],
    ['lists nested too deeply', '['.repeat(20_000) + ']'.repeat(20_000), /this is nested too deeply/],
    [
      'aliases of aliases',
      lines(9, (no) => `k${no}: &a${no} [${`*a${no - 1}, `.repeat(no === 0 ? 0 : 9)}]`),
      /x\.yaml:2:10: the alias \*a0 is inside an anchor/,
    ],
  ])('is refused with the position of %s', (_, text, expected) => {
    if (expected === undefined) expect(() => parseYaml(text, 'x.yaml')).not.toThrow();
    else {
      expect(() => parseYaml(text, 'x.yaml')).toThrow(ConfigFault);
      expect(() => parseYaml(text, 'x.yaml')).toThrow(expected);
    }
  });

  it('is not read beyond its limit', () => {
    expect(() => readYaml('/dev/zero')).toThrow('/dev/zero: longer than 1048576 bytes: this is not a configuration');
  });
});
