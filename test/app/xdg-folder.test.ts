import { syncBuiltinESMExports } from 'node:module';
import os, { homedir, userInfo } from 'node:os';
import { join } from 'node:path';
import { expect, it, vi } from 'vitest';
import { xdgFolder } from '../../src/app/xdg-folder.ts';
import { afterThisTest } from '../cleanup.ts';

it('uses the variable only if it is an absolute path', () => {
  vi.stubEnv('XDG_STATE_HOME', '/state');
  expect(xdgFolder('XDG_STATE_HOME', '.local', 'state')).toBe('/state');
  for (const variable of [undefined, '', 'state']) {
    vi.stubEnv('XDG_STATE_HOME', variable);
    expect(xdgFolder('XDG_STATE_HOME', '.local', 'state')).toBe(join(homedir(), '.local/state'));
  }
});

it.each(['', 'home'])('uses the home folder of the system when HOME is "%s"', (home) => {
  vi.stubEnv('XDG_CACHE_HOME', '');
  vi.stubEnv('HOME', home);
  expect(xdgFolder('XDG_CACHE_HOME', '.cache')).toBe(join(userInfo().homedir, '.cache'));
});

it('names the variables to set when the system does not know the user', () => {
  const spy = vi.spyOn(os, 'userInfo').mockImplementation(() => {
    throw new Error('A system error occurred: uv_os_get_passwd returned ENOENT (no such file or directory)');
  });
  syncBuiltinESMExports();
  afterThisTest.add(() => {
    spy.mockRestore();
    syncBuiltinESMExports();
  });
  vi.stubEnv('XDG_CACHE_HOME', '');
  vi.stubEnv('HOME', '');
  expect(() => xdgFolder('XDG_CACHE_HOME', '.cache')).toThrow(
    'HOME: expected an absolute path, or one in XDG_CACHE_HOME, because the system knows no home folder of this user',
  );
});
