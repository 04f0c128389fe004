import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { parsePath, readConfiguration } from '../../src/config/configuration.ts';
import { KINDS } from '../../src/config/kinds.ts';
import { InputFault } from '../../src/domain/index.ts';
import { parseStrict } from '../../src/strategy/index.ts';

const folder = mkdtempSync(join(tmpdir(), 'halfspread-'));
afterAll(() => rmSync(folder, { recursive: true }));
writeFileSync(join(folder, 'run.yaml'), 'seed: 7\nparams:\n  levels: 3\n  sizes: [1, 2]\n');

const schema = z.strictObject({
  seed: z.int().max(10),
  params: z.strictObject({
    levels: z.int().max(5),
    sizes: z.array(z.number().positive()),
    name: z.string().optional(),
  }),
});

/** Reads the file with these options. Returns the error message, or the valid values as JSON. */
function errorOf(...sets: readonly string[]): string {
  try {
    const configuration = readConfiguration('run.yaml', folder, sets);
    try {
      return JSON.stringify(parseStrict(schema, configuration.value, ''));
    } catch (fault) {
      throw configuration.locateFault(fault);
    }
  } catch (fault) {
    return fault instanceof Error ? fault.message : String(fault);
  }
}

describe('a configuration', () => {
  it('has the values of the file', () => {
    expect(errorOf()).toBe('{"seed":7,"params":{"levels":3,"sizes":[1,2]}}');
  });

  it('takes values from --set as YAML, and does not change the file', () => {
    expect(errorOf('params.levels=5', 'params.sizes[1]=0.5', 'params.name=x=y')).toBe(
      '{"seed":7,"params":{"levels":5,"sizes":[1,0.5],"name":"x=y"}}',
    );
    expect(errorOf('params={ levels: 1, sizes: [] }')).toBe('{"seed":7,"params":{"levels":1,"sizes":[]}}');
    expect(errorOf()).toContain('"levels":3');
  });

  it('reports the line of an invalid value', () => {
    writeFileSync(join(folder, 'run.yaml'), 'seed: 7\nparams:\n  levels: 9\n  sizes: [1, 2]\n');
    expect(errorOf()).toMatch(/^run\.yaml:3:11: .*levels: expected at most 5, got 9/);
    expect(errorOf('params.levels=1', 'params.sizes[0]=1')).toContain('"levels":1');
    writeFileSync(join(folder, 'run.yaml'), 'seed: 7\nparams:\n  levels: 3\n  sizes: [1, -2]\n');
    expect(errorOf()).toMatch(/^run\.yaml:4:14: .*sizes\[1\]: expected more than 0, got -2/);
  });

  it('reports an unknown key with the closest valid one', () => {
    writeFileSync(join(folder, 'run.yaml'), 'seed: 7\nparams:\n  levels: 3\n  sizes: []\n  nane: x\n');
    expect(errorOf()).toMatch(/^run\.yaml:5:3: .*nane: expected a known key \(did you mean "name"\?/);
  });

  it('names the strategy whose parameters are wrong when --set names another strategy', () => {
    writeFileSync(join(folder, 'run.yaml'), 'strategy: a\nparams:\n  depth: 3\n');
    const other = z.strictObject({ strategy: z.string(), params: z.strictObject({ levels: z.int().default(1) }) });
    const messageOf = (...sets: readonly string[]): string => {
      const configuration = readConfiguration('run.yaml', folder, sets);
      try {
        return JSON.stringify(parseStrict(other, configuration.value, ''));
      } catch (fault) {
        return String(configuration.locateFault(fault));
      }
    };
    expect(messageOf('strategy=b', 'params.levels=2')).toMatch(
      /run\.yaml:3:3: .*depth: .* put --set "params=\{\}" before/,
    );
    expect(messageOf('strategy=b', 'params={}', 'params.levels=2')).toBe('{"strategy":"b","params":{"levels":2}}');
    expect(messageOf()).toMatch(/depth: expected a known key[^,]*$/);
    expect(messageOf('strategy=b', 'params={}', 'params.depth=2')).not.toContain('before your own parameters');
  });

  it('reports a missing key at its parent', () => {
    writeFileSync(join(folder, 'run.yaml'), 'seed: 7\nparams:\n  sizes: [1]\n');
    expect(errorOf()).toMatch(/^run\.yaml:2:1: .*levels: expected a number, but it is missing/);
  });

  it('reports the option that set an invalid value', () => {
    writeFileSync(join(folder, 'run.yaml'), 'seed: 7\nparams:\n  levels: 3\n  sizes: [1, 2]\n');
    expect(errorOf('seed=11')).toMatch(/^--set seed=11: .*seed: expected at most 10, got 11/);
    expect(errorOf('params.levles=1')).toMatch(/^--set params\.levles=1: .*did you mean "levels"/);
    expect(errorOf('seed=1', 'seed=12')).toMatch(/^--set seed=12: /);
  });

  it.each([
    ['seed', 'expected key=value'],
    ['=1', 'expected key=value'],
    ['seed=[1', 'the value is not valid YAML'],
    ['seed.deep=1', 'deep cannot be set: its parent is not an object'],
    ['params[0]=1', 'there is no list to change at [0]'],
  ])('refuses --set %s', (option, message) => {
    expect(errorOf(option)).toContain(`--set ${option}: ${message}`);
  });

  it('passes other errors through', () => {
    const other = new Error('x');
    expect(readConfiguration('run.yaml', folder).locateFault(other)).toBe(other);
    expect(readConfiguration('run.yaml', folder).locateFault(new InputFault('seed', 1, 'y'))).not.toBe(other);
    const ofFlag = new InputFault('--workers', 'x', 'y');
    expect(readConfiguration('run.yaml', folder).locateFault(ofFlag)).toBe(ofFlag);
  });
});

describe('the version of a file', () => {
  it('may be omitted, and is 1', () => {
    writeFileSync(join(folder, 'versioned.yaml'), 'version: 1\nseed: 7\n');
    expect(readConfiguration('versioned.yaml', folder).value).toEqual({ version: 1, seed: 7 });
    writeFileSync(join(folder, 'versioned.yaml'), 'seed: 7\n');
    expect(readConfiguration('versioned.yaml', folder).value).toEqual({ seed: 7 });
    for (const kind of Object.values(KINDS)) {
      expect(z.toJSONSchema(kind, { io: 'input' })).toMatchObject({
        properties: { version: { const: 1, default: 1 } },
      });
    }
  });

  it.each([
    [
      '2',
      '1 (the only version that this halfspread reads; a newer halfspread wrote this file: update halfspread), got 2',
    ],
    ['0', '1 (the only version that this halfspread reads; write version: 1), got 0'],
    ['"1"', '1 (remove the quotes: 1), got "1"'],
    ['', '1 (the only version that this halfspread reads; write version: 1), got null'],
  ])('is refused with its position and a remedy when it is not supported: %s', (version, message) => {
    writeFileSync(join(folder, 'versioned.yaml'), `# A bot\nseed: 7\nversion: ${version}\nnobody: knows\n`);
    const read = () => readConfiguration('versioned.yaml', folder);
    expect(read).toThrow(/^versioned\.yaml:3:\d+: version: /);
    expect(read).toThrow(`version: expected ${message}`);
  });

  it('is reported with the option that set it', () => {
    writeFileSync(join(folder, 'versioned.yaml'), 'version: 1\n');
    expect(() => readConfiguration('versioned.yaml', folder, ['version=2'])).toThrow(/^--set version=2: version: /);
  });
});

describe('a dotted path', () => {
  it('has keys and indexes', () => {
    expect(parsePath('params.levels[2].size')).toEqual(['params', 'levels', 2, 'size']);
    expect(parsePath('')).toEqual([]);
  });
});
