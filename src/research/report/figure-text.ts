/** A number for people: at most so many digits that count, whole numbers whole. */
export function figureText(value: number, digits = 5): string {
  if (Number.isInteger(value)) return `${value}`;
  return value
    .toPrecision(digits)
    .replace(/(\.\d*?)0+(e|$)/, '$1$2')
    .replace(/\.(e|$)/, '$1');
}
