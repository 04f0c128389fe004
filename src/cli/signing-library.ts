/** Which libsecp256k1 of the system signs and checks signatures. */
import process from 'node:process';

/** The absolute path of a file, which has to be usable then, or `none`; undefined or empty to look for one. */
const LIBRARY = 'HALFSPREAD_LIBSECP256K1';

/** As the environment says it; undefined where it says nothing. */
export function signingLibrary(): string | undefined {
  const said = process.env[LIBRARY]?.trim();
  return said === '' ? undefined : said;
}
