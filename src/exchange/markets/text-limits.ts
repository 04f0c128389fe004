/** How long texts of clients may be, in code points. They are kept for ever, and shown with every market. */
export const TEXT_LIMITS = {
  rules: 10_000,
  description: 10_000,
  /** Of a dispute. */
  reason: 2_000,
} as const;

/** A text's length. */
export function codePoints(text: string): number {
  return Array.from(text).length;
}
