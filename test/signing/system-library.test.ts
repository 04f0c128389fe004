import { describe, expect, it } from 'vitest';
import type { ForeignLibrary } from '../../src/signing/system-curve.ts';
import { openSystemLibrary } from '../../src/signing/system-library.ts';

/** A machine that has some libraries, by how it is asked for them. */
function machine(extension: string, there: readonly string[] = []) {
  const asked: string[] = [];
  const made = new Map<ForeignLibrary, string>();
  return {
    asked,
    made,
    extension,
    load(file: string): ForeignLibrary {
      asked.push(file);
      if (!there.includes(file)) throw new Error('cannot open shared object file');
      const library: ForeignLibrary = { func: () => () => 1 };
      made.set(library, file);
      return library;
    },
  };
}

const name = (_: ForeignLibrary, place: string): string => place;
const refusing = (unfit: readonly string[]) => (_: ForeignLibrary, place: string) => {
  if (unfit.includes(place)) throw new Error(`no function in ${place}`);
  return place;
};

describe('the library of the system', () => {
  it.each([
    ['.so', /^libsecp256k1\.so(\.[0-7])?$/, 9],
    ['.dylib', /^\/(opt\/homebrew|usr\/local|opt\/local)\/lib\/libsecp256k1\.dylib$/, 3],
    ['.dll', /^$/, 0],
    ['.other', /^$/, 0],
  ])('is looked for in known places, where libraries end in %s', (extension, known, count) => {
    const loader = machine(extension);
    expect(() => openSystemLibrary(loader, undefined, name)).toThrow('no libsecp256k1 of the system');
    expect(loader.asked).toHaveLength(count);
    expect(new Set(loader.asked).size).toBe(count);
    for (const file of loader.asked) expect(file).toMatch(known);
  });

  it('is the newest one that is there', () => {
    const loader = machine('.so', ['libsecp256k1.so', 'libsecp256k1.so.1', 'libsecp256k1.so.5']);
    const used = openSystemLibrary(loader, undefined, (library) => loader.made.get(library));
    expect(used).toBe('libsecp256k1.so.5');
    expect(loader.asked).toEqual(['libsecp256k1.so.7', 'libsecp256k1.so.6', 'libsecp256k1.so.5']);
  });

  it('is the next one where the newest lacks something', () => {
    const loader = machine('.so', ['libsecp256k1.so.2', 'libsecp256k1.so.1']);
    expect(openSystemLibrary(loader, undefined, refusing(['libsecp256k1.so.2']))).toBe('libsecp256k1.so.1');
  });

  it('is none where all of them lack something, each with its reason', () => {
    const there = ['libsecp256k1.so.2', 'libsecp256k1.so.1'];
    expect(() => openSystemLibrary(machine('.so', there), undefined, refusing(there))).toThrow(
      'libsecp256k1.so.2: no function in libsecp256k1.so.2; libsecp256k1.so.1: no function in libsecp256k1.so.1',
    );
  });

  it('says where it was looked for, or that it has to be named', () => {
    expect(() => openSystemLibrary(machine('.dylib'), undefined, name)).toThrow(
      'no libsecp256k1 of the system (looked for /opt/homebrew/lib/libsecp256k1.dylib, /usr/local/lib/libsecp256k1.dylib, /opt/local/lib/libsecp256k1.dylib)',
    );
    expect(() => openSystemLibrary(machine('.dll'), undefined, name)).toThrow('it has to be named here');
  });
});

describe('a library that is named', () => {
  it.each([
    ['.so', '/opt/own/lib.so'],
    ['.dylib', '/opt/own/lib.dylib'],
    ['.dll', 'C:\\own\\lib.dll'],
    ['.dll', 'd:/own/lib.dll'],
    ['.dll', '\\\\host\\own\\lib.dll'],
  ])('is the one that is used, and no other (%s, %s)', (extension, file) => {
    const loader = machine(extension, [file]);
    expect(openSystemLibrary(loader, file, name)).toBe(file);
    const empty = machine(extension, ['libsecp256k1.so.1']);
    expect(() => openSystemLibrary(empty, file, name)).toThrow('cannot open shared object file');
    expect(empty.asked).toEqual([file]);
    expect(() => openSystemLibrary(loader, file, refusing([file]))).toThrow('no function in');
  });

  it.each([
    ['.so', ''],
    ['.so', 'libsecp256k1.so.1'],
    ['.so', './lib.so'],
    ['.so', 'own/lib.so'],
    ['.so', 'C:\\own\\lib.so'],
    ['.so', 'C:/own/lib.so'],
    ['.dylib', 'libsecp256k1.dylib'],
    ['.dll', 'libsecp256k1.dll'],
    ['.dll', '\\own\\lib.dll'],
    ['.dll', '/own/lib.dll'],
    ['.dll', 'C:lib.dll'],
  ])('is never looked for by a relative path (%s, %s)', (extension, file) => {
    const loader = machine(extension, [file]);
    expect(() => openSystemLibrary(loader, file, name)).toThrow('it is no absolute path');
    expect(loader.asked).toEqual([]);
  });
});
