export { SCHEMA_SDL } from './schema-sdl.ts';
