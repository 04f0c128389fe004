/** Fewer returns than this make no Sharpe ratio (docs/spec/models.md#report-numbers). */
export const LEAST_RETURNS = 30;

/** Mean over standard deviation (n - 1) of single returns, not annualised; undefined below 30 or without variance. */
export function sharpeRatio(returns: readonly number[]): number | undefined {
  const n = returns.length;
  if (n < LEAST_RETURNS) return undefined;
  const mean = returns.reduce((sum, value) => sum + value, 0) / n;
  const squares = returns.reduce((sum, value) => sum + (value - mean) * (value - mean), 0);
  const deviation = Math.sqrt(squares / (n - 1));
  return deviation > 0 ? mean / deviation : undefined;
}
