import { homedir, userInfo } from 'node:os';
import { join } from 'node:path';
import { expect, it, vi } from 'vitest';
import { xdgFolder } from '../../src/app/xdg-folder.ts';

it('uses the variable only if it is an absolute path', () => {
  expect(xdgFolder('/state', '.local', 'state')).toBe('/state');
  for (const variable of [undefined, '', 'state'])
    expect(xdgFolder(variable, '.local', 'state')).toBe(join(homedir(), '.local/state'));
});

it.each(['', 'home'])('uses the home folder of the system when HOME is "%s"', (home) => {
  vi.stubEnv('HOME', home);
  expect(xdgFolder('', '.cache')).toBe(join(userInfo().homedir, '.cache'));
});
