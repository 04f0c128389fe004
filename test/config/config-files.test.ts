import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { z } from 'zod';
import { runSpecSchema } from '../../src/backtest/index.ts';
import { readConfiguration } from '../../src/config/configuration.ts';
import { guessKind, KINDS, parseKind } from '../../src/config/kinds.ts';
import { liveSchema } from '../../src/config/live-schema.ts';
import { recipeSchema, toRecipe, withFileKey } from '../../src/config/recipe-schema.ts';
import { InputFault } from '../../src/domain/index.ts';
import { checkRecipe, DEFAULT_RECIPE } from '../../src/history/index.ts';
import { parseStrict } from '../../src/strategy/index.ts';
import { newFolder, ROOT } from '../cli/halfspread.ts';
import { runInProcess } from '../cli/trading.ts';

const FILES = readdirSync(join(ROOT, 'config')).filter((name) => name.endsWith('.yaml'));

function readShipped(name: string): unknown {
  return readConfiguration(join('config', name), ROOT).value;
}

describe('shipped configurations', () => {
  it.each(FILES)('%s is valid', async (name) => {
    const { code, stdout } = await runInProcess(['config', 'check', join('config', name)]);
    expect({ code, stdout }).toEqual({ code: 0, stdout: expect.stringContaining('nothing wrong') });
  });

  it.each(FILES.filter((name) => guessKind(readShipped(name)) === 'live'))(
    '%s has an error limit, so that repeated failures of commands end trading',
    (name) => {
      expect(parseStrict(liveSchema, readShipped(name), '').kill_switch.errors).toBeTypeOf('number');
    },
  );

  it('backtest.yaml shows each key and its default, if any', () => {
    const text = readFileSync(join(ROOT, 'config/backtest.yaml'), 'utf8');
    for (const key of Object.keys(runSpecSchema.shape)) expect(text).toMatch(new RegExp(`^(# )?${key}:`, 'm'));
    const least = { strategy: 'ladder', tapes: ['tapes/betfair-1.200806927.tape'] };
    const { params, from, to, ...shown } = parseStrict(runSpecSchema, readShipped('backtest.yaml'), '');
    const { params: _, ...defaults } = parseStrict(runSpecSchema, least, '');
    expect(shown).toEqual(defaults);
    expect({ params, from, to }).toMatchObject({ params: { bid_spread: 60 }, from: /./, to: /./ });
    const sections = ['latency', 'risk', 'execution', 'limits', 'uptime'] as const;
    for (const section of sections) {
      for (const key of Object.keys(defaults[section])) expect(text, section).toMatch(new RegExp(`^ +${key}:`, 'm'));
    }
  });

  it('bot.yaml shows each key and its default, if any', () => {
    const text = readFileSync(join(ROOT, 'config/bot.yaml'), 'utf8');
    const least = { venue: { url: 'http://127.0.0.1:4000' }, markets: { filter: { limit: 5 } }, strategy: 'ladder' };
    const { params, account, ...shown } = parseStrict(liveSchema, readShipped('bot.yaml'), '');
    const { params: _, account: none, ...defaults } = parseStrict(liveSchema, least, '');
    expect(shown).toEqual(defaults);
    expect({ none, account }).toEqual({ none: {}, account: { key: { env: 'HALFSPREAD_KEY' } } });
    for (const [key, schema] of Object.entries(liveSchema.shape)) {
      expect(text).toMatch(new RegExp(`^(# )?${key}:`, 'm'));
      const inner = key === 'params' ? {} : (z.toJSONSchema(schema, { io: 'input' }).properties ?? {});
      for (const name of Object.keys(inner).filter((key) => key !== 'trades_only'))
        expect(text, key).toMatch(new RegExp(`[ {]${name}: `));
    }
  });

  it('synthetic.yaml shows each key with its default', () => {
    const raw: unknown = parse(readFileSync(join(ROOT, 'config/synthetic.yaml'), 'utf8'));
    expect(Object.keys(Object(raw)).toSorted()).toEqual(Object.keys(recipeSchema.shape).toSorted());
    expect(toRecipe(parseStrict(recipeSchema, raw, ''))).toEqual(DEFAULT_RECIPE);
  });
});

it('paper mode refuses the queue model fifo, because market data of a venue have no order ids', () => {
  const shared = { venue: { url: 'http://127.0.0.1:4000' }, markets: { filter: { limit: 5 } }, strategy: 'ladder' };
  const withQueue = (model: string) => () => parseStrict(liveSchema, { ...shared, paper: { queue: { model } } }, '');
  expect(withQueue('risk-averse')).not.toThrow();
  expect(withQueue('fifo')).toThrow(/paper\.queue\.model/);
});

describe('a recipe', () => {
  it('may be empty, because the generator has a default for each key', () => {
    expect(toRecipe(parseStrict(recipeSchema, {}, ''))).toEqual(DEFAULT_RECIPE);
  });

  it('is refused by the schema exactly when the generator refuses it, for each field', () => {
    for (const key of Object.keys(recipeSchema.shape).filter((name) => name !== 'start' && name !== 'version')) {
      for (const value of [-1, 1e12, 0.5]) {
        const parsed = recipeSchema.safeParse({ [key]: value });
        const check = () => checkRecipe(toRecipe({ ...recipeSchema.parse({}), [key]: value }));
        if (parsed.success) expect(check, `${key} ${value}`).not.toThrow();
        else expect(check, `${key} ${value}`).toThrow();
      }
    }
  });

  it('names its keys when two of them contradict each other', () => {
    const fault = withFileKey(new InputFault('cancelShare', 0.5, 'no more than is left'));
    expect(fault).toMatchObject({
      field: 'cancel_share',
      message: 'cancel_share: expected no more than is left, got 0.5',
    });
    const other = new Error('x');
    expect(withFileKey(other)).toBe(other);
  });

  it('reproduces the same tape byte for byte', async () => {
    const folder = newFolder();
    const recipe = join(ROOT, 'config/synthetic.yaml');
    const bytes = [];
    for (const name of ['one.tape', 'two.tape']) {
      const made = await runInProcess(['tape', 'generate', recipe, '--set', 'events=20000', '--out', name], folder);
      expect({ code: made.code, stderr: made.stderr }).toEqual({ code: 0, stderr: '' });
      bytes.push(readFileSync(join(folder, name)));
    }
    expect(bytes[0]?.equals(bytes[1] ?? Buffer.alloc(0))).toBe(true);
    const checked = await runInProcess(['tape', 'check', 'one.tape', '--json'], folder);
    expect(JSON.parse(checked.stdout)).toMatchObject({
      manifest: { name: 'synthetic-1' },
      quality: { markets: [{ crossed: 0 }] },
    });
  });
});

/** Files that are not backtests. */
const OTHERS = new Map([
  ...['synthetic', 'venue', 'chaos', 'live'].map((kind) => [`${kind}.yaml`, kind] as const),
  ['paper.yaml', 'live'],
  ['optimize.yaml', 'study'],
  ...['demo-bot', 'bot', 'recorded', 'polymarket'].map((name) => [`${name}.yaml`, 'live'] as const),
]);

describe('kinds of configuration', () => {
  it('are recognised by their keys', () => {
    expect(FILES.map((name) => [name, guessKind(readShipped(name))])).toEqual(
      FILES.map((name) => [name, OTHERS.get(name) ?? 'backtest']),
    );
    expect(guessKind(null)).toBe('backtest');
    expect(parseKind('synthetic')).toBe('synthetic');
  });

  it.each(Object.keys(KINDS))('%s has a JSON schema that allows no other key', async (kind) => {
    const { code, stdout } = await runInProcess(['config', 'schema', kind]);
    expect(code).toBe(0);
    expect(JSON.parse(stdout)).toMatchObject({ type: 'object', additionalProperties: false });
  });

  it('with a strategy describe its parameters', async () => {
    const { stdout } = await runInProcess(['config', 'schema', 'backtest', '--strategy', 'ladder']);
    expect(JSON.parse(stdout)).toMatchObject({
      properties: {
        params: { properties: { bid_spread: { maximum: 9999 } }, required: expect.arrayContaining(['bid_spread']) },
      },
    });
    const wrong = await runInProcess(['config', 'schema', 'synthetic', '--strategy', 'ladder']);
    expect(wrong).toMatchObject({ code: 2, stdout: '' });
  });
});
