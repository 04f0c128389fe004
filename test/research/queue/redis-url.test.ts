import { expect, it } from 'vitest';
import { parseRedisUrl } from '../../../src/research/queue/index.ts';

it.each([
  'redis://user:sec/ret@host:6379',
  'redis://user:sec@ret@host:6379',
  'redis://user:secret@host:6379/1',
  'redis:user:secret@host',
  'http://user:secret@host',
])('a refused URL is shown without its password: %s', (url) => {
  const parse = () => parseRedisUrl('--workers', url, undefined);
  expect(parse).toThrow(/…@host/);
  expect(parse).not.toThrow(/sec|ret@/);
});
