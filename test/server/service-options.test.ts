import { expect, it } from 'vitest';
import { typeErrors } from '../type-check.ts';

const HEAD = `
import type { HttpOptions } from '../../src/server/http/options.ts';
declare const options: HttpOptions;
const { proxyHeader, ...rest } = options;
`;
const CASES = {
  given: 'export const http: HttpOptions = { ...rest, proxyHeader };',
  forgotten: 'export const http: HttpOptions = { ...rest }; export const unused = proxyHeader;',
  misspelt: 'export const http: HttpOptions = { ...rest, countryHeader: proxyHeader };',
};

it('forgotten and misspelt options of a service do not compile, even in an object with a spread', () => {
  const files = Object.entries(CASES).map(([name, code]) => [`test/server/${name}.ts`, `${HEAD}${code}`]);
  expect(typeErrors(Object.fromEntries(files))).toEqual([
    expect.stringContaining("Property 'proxyHeader' is missing"),
    expect.stringContaining("'countryHeader' does not exist"),
  ]);
});
