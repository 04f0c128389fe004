import { describe, expect, it } from 'vitest';
import { createInstancesForCheck, loadConfiguredStrategies } from '../../../src/app/live/strategies.ts';
import { liveSchema } from '../../../src/config/live-schema.ts';
import { InputFault } from '../../../src/domain/index.ts';
import { polymarketMarketId } from '../../../src/runtime/index.ts';
import { parseStrict } from '../../../src/strategy/index.ts';

const OPTIONS = { folders: [`${import.meta.dirname}/../../fixtures/strategies`], baseDir: '/' };
const MINIMAL_FILE = { venue: { url: 'http://127.0.0.1:4000' }, markets: { slugs: ['rain', 'snow'] } };

const parsed = (keys: object) => parseStrict(liveSchema, { ...MINIMAL_FILE, ...keys }, '');
const load = (keys: object) => loadConfiguredStrategies(parsed(keys), OPTIONS);

describe('the strategies of a bot', () => {
  it('trade all markets, or the markets that they list', async () => {
    const strategies = [{ strategy: 'lead-lag' }, { strategy: 'own-drift', markets: ['snow'] }];
    const { forMarket } = await load({ strategies });
    const namesOn = (slug: string) => forMarket({ slug, id: `id-${slug}` }).map(({ name }) => name);
    expect([namesOn('rain'), namesOn('snow')]).toEqual([['lead-lag'], ['lead-lag', 'own-drift']]);
  });

  it('can be overridden for one market, with other parameters', async () => {
    const overrides = { rain: { params: { size: 7 } }, snow: { strategy: 'follow-signal' } };
    const { forMarket } = await load({ strategy: 'own-drift', markets: { ...MINIMAL_FILE.markets, overrides } });
    const found = ['rain', 'snow', 'hail'].map((slug) => forMarket({ slug, id: slug })[0]);
    expect(found).toMatchObject([
      { name: 'own-drift', params: { size: 7 } },
      { name: 'follow-signal', params: {} },
      { name: 'own-drift', params: {} },
    ]);
  });

  it('can be chosen by the condition id of a Polymarket market', async () => {
    const condition = `0x${'AB'.repeat(32)}`;
    const market = { slug: 'rain', id: polymarketMarketId(condition.toLowerCase()) };
    const overrides = { [condition]: { params: { size: 7 } } };
    const overridden = await load({ strategy: 'own-drift', markets: { ...MINIMAL_FILE.markets, overrides } });
    expect(overridden.forMarket(market)).toMatchObject([{ params: { size: 7 } }]);
    const listed = await load({ strategies: [{ strategy: 'own-drift', markets: [condition] }] });
    expect(listed.forMarket(market)).toMatchObject([{ name: 'own-drift' }]);
    expect(listed.forMarket({ slug: 'snow', id: 'snow' })).toEqual([]);
    listed.assertMarkets([market]);
  });

  it.each([
    [{ strategy: 'lead-lag' }, { params: { size: 7 } }, 'params: expected no override: "lead-lag" has scope "run"'],
    [{ strategy: 'own-drift' }, { strategy: 'lead-lag' }, 'strategy: expected no override: "lead-lag" has scope "run"'],
    [
      { strategies: [{ strategy: 'own-drift' }] },
      { params: { size: 7 } },
      'params: expected no override together with a list of `strategies`',
    ],
  ])('are refused for %j with an override %j', async (keys, override, message) => {
    const loaded = load({ ...keys, markets: { ...MINIMAL_FILE.markets, overrides: { rain: override } } });
    await expect(loaded).rejects.toThrow(InputFault);
    await expect(loaded).rejects.toThrow(`markets.overrides.rain.${message}`);
  });

  it.each([
    [{}, 'strategy: expected a strategy, or a list of strategies under "strategies"'],
    [
      { strategy: 'a', strategies: [{ strategy: 'b' }] },
      'strategy: expected no strategy beside the list of "strategies"',
    ],
    [{ params: { a: 1 }, strategies: [{ strategy: 'b' }] }, 'params: expected no parameters beside "strategies"'],
  ])('are refused for the keys %j', (keys, message) => {
    expect(() => parsed(keys)).toThrow(message);
  });
});

describe('strategies created without a venue', () => {
  it('have the markets that the file names for them', async () => {
    const strategies = [
      { strategy: 'lead-lag' },
      { strategy: 'own-drift' },
      { strategy: 'follow-signal', markets: ['snow'] },
    ];
    const file = parsed({ strategies });
    const instances = createInstancesForCheck(await loadConfiguredStrategies(file, OPTIONS), file);
    expect(instances.map(({ name, markets }) => [name, markets])).toEqual([
      ['lead-lag', [0, 1]],
      ['own-drift', [0]],
      ['follow-signal', [1]],
    ]);
  });

  it('have the market that the file names by its condition id', async () => {
    const condition = `0x${'ab'.repeat(32)}`;
    const overrides = { [condition]: { strategy: 'follow-signal' } };
    const file = parsed({ strategy: 'own-drift', markets: { slugs: ['rain'], ids: [condition], overrides } });
    const instances = createInstancesForCheck(await loadConfiguredStrategies(file, OPTIONS), file);
    expect(instances.map(({ name, markets }) => [name, markets])).toEqual([
      ['own-drift', [0]],
      ['follow-signal', [1]],
    ]);
  });

  it('have example markets when the file names none', async () => {
    const file = parsed({ strategy: 'lead-lag', markets: { filter: { limit: 2 } } });
    expect(createInstancesForCheck(await loadConfiguredStrategies(file, OPTIONS), file)).toMatchObject([
      { name: 'lead-lag', markets: [0, 1] },
    ]);
  });
});
