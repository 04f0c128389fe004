/** Bodies of requests that came compressed (`Content-Encoding`, RFC 9110 8.4). */
import { brotliDecompressSync, gunzipSync, inflateSync } from 'node:zlib';

/** Decompresses a whole body, up to so many bytes. Throws for what is not in the coding, and for more bytes. */
type Decoder = (body: Uint8Array, bound: { readonly maxOutputLength: number }) => Buffer;

const DECODERS: ReadonlyMap<string, Decoder> = new Map<string, Decoder>([
  ['gzip', gunzipSync],
  ['x-gzip', gunzipSync],
  ['deflate', inflateSync],
  ['br', brotliDecompressSync],
]);

/** What the header `Accept-Encoding` of an answer with status 415 says. */
export const ACCEPTED_CODINGS = 'gzip, deflate, br';

/** Reads `Content-Encoding`. @returns null for no coding, undefined for one that is not supported, or several */
export function contentCoding(header: string | undefined): string | null | undefined {
  if (header === undefined) return null;
  const coding = header.trim().toLowerCase();
  if (coding === 'identity') return null;
  return DECODERS.has(coding) ? coding : undefined;
}

/** @returns the body; `too large` as soon as it passes `most` bytes, `malformed` where it is not in the coding */
export function decoded(body: Buffer, coding: string, most: number): Buffer | 'too large' | 'malformed' {
  const decode = DECODERS.get(coding);
  if (decode === undefined) throw new Error(`Invariant: ${coding} is no supported coding`);
  try {
    return decode(body, { maxOutputLength: most });
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : undefined;
    return code === 'ERR_BUFFER_TOO_LARGE' ? 'too large' : 'malformed';
  }
}
