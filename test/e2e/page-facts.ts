/** Returns the length of a range such as `2022-07-11 11:00:20 to 2022-07-11 14:47:27 UTC`. */
export function millisecondsOf(range: string): number {
  const [from = '', to = ''] = range.replace(' UTC', '').split(' to ');
  return Date.parse(`${to.replace(' ', 'T')}Z`) - Date.parse(`${from.replace(' ', 'T')}Z`);
}

/** Returns the contrast ratio of two `rgb(…)` colours according to WCAG 2.2. */
export function contrastRatio(first: string, second: string): number {
  const [a, b] = [luminance(first), luminance(second)];
  return (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
}

function luminance(colour: string): number {
  const [red = 0, green = 0, blue = 0] = (colour.match(/\d+(\.\d+)?/g) ?? []).map((part) => {
    const value = Number(part) / 255;
    return value <= 0.04045 ? value / 12.92 : Math.exp(2.4 * Math.log((value + 0.055) / 1.055));
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}
