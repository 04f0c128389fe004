export { OutsideWorld } from './outside-world.ts';
export type { ChainSettings, HouseSettings, ResolverSettings } from './settings.ts';
