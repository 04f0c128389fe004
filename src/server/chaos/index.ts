export { type ChaosSettings, chaosSchema } from './settings.ts';
