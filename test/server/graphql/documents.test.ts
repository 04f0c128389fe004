import { describe, expect, it } from 'vitest';
import { DocumentCache } from '../../../src/server/graphql/documents.ts';

function harness(maxDocuments: number, maxCharacters: number) {
  const prepared: string[] = [];
  const cache = new DocumentCache<string>({ maxDocuments, maxCharacters });
  return {
    cache,
    prepared,
    get: (text: string) =>
      cache.get(text) ??
      cache.add(text, (source) => {
        prepared.push(source);
        return source.toUpperCase();
      }),
  };
}

describe('the document cache', () => {
  it('prepares each text once', () => {
    const { get, prepared } = harness(10, 100);
    expect([get('a'), get('b'), get('a'), get('a')]).toEqual(['A', 'B', 'A', 'A']);
    expect(prepared).toEqual(['a', 'b']);
  });

  it('evicts the least recently used document when there are more than the limit', () => {
    const { get, prepared, cache } = harness(2, 100);
    for (const text of ['a', 'b', 'a', 'c', 'a', 'b']) get(text);
    expect(prepared).toEqual(['a', 'b', 'c', 'b']);
    expect(cache.size).toBe(2);
  });

  it('evicts documents until their total length is within the limit', () => {
    const { get, cache } = harness(100, 10);
    for (const text of ['aaa', 'bbb', 'ccc']) get(text);
    get('dddddddd');
    expect([cache.size, cache.characters]).toEqual([1, 8]);
    get('a text that is longer than everything');
    expect([cache.size, cache.characters]).toEqual([0, 0]);
  });

  it('does not store a document that cannot be prepared', () => {
    const { cache } = harness(10, 100);
    const fail = (): string => {
      throw new Error('no');
    };
    expect(() => cache.add('a', fail)).toThrow('no');
    expect([cache.size, cache.characters]).toEqual([0, 0]);
    expect(cache.get('a')).toBeUndefined();
    expect(cache.add('a', () => 'A')).toBe('A');
  });

  it('evicts other documents when a document grows, and ignores the growth of an evicted document', () => {
    const cache = new DocumentCache<string>({ maxDocuments: 10, maxCharacters: 10 });
    const reportGrowth: ((characters: number) => void)[] = [];
    const add = (text: string): string =>
      cache.add(text, (source, onGrow) => {
        reportGrowth.push(onGrow);
        return source;
      });
    add('aaa');
    add('bbb');
    reportGrowth[1]?.(4);
    expect([cache.size, cache.characters]).toEqual([2, 10]);
    reportGrowth[1]?.(1);
    expect([cache.size, cache.characters, cache.get('aaa'), cache.get('bbb')]).toEqual([1, 8, undefined, 'bbb']);
    reportGrowth[0]?.(100);
    expect([cache.size, cache.characters]).toEqual([1, 8]);
    reportGrowth[1]?.(100);
    expect([cache.size, cache.characters]).toEqual([0, 0]);
  });
});
