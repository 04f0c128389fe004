/** Decodes and formats numbers for the other two scripts of a report's page. */
const pageNumbers = (() => {
  const DAY_MS = 86_400_000;

  return { css, decodeSums, padRange, indexAfter, timeTexts, valueText, numberText };

  /**
   * Decodes differences and returns their running sums times `scale`. `ByteWriter.number` wrote the bytes. A small
   * number is one byte. For any other number, the first byte has the sign and the length.
   * @param {string} text base64
   * @param {number} scale
   */
  function decodeSums(text, scale) {
    const bytes = Uint8Array.from(atob(text), (character) => character.charCodeAt(0));
    const result = new Float64Array(bytes.length);
    let count = 0;
    let sum = 0;
    for (let at = 0; at < bytes.length; count += 1) {
      const first = bytes[at] ?? 0;
      at += 1;
      if (first < 240) sum += first;
      else {
        const length = (first < 247 ? first - 240 : first - 247) + 1;
        let magnitude = 0;
        for (let index = length - 1; index >= 0; index -= 1) magnitude = magnitude * 256 + (bytes[at + index] ?? 0);
        sum += first < 247 ? magnitude : -magnitude;
        at += length;
      }
      result[count] = sum * scale;
    }
    return result.slice(0, count);
  }

  /** @param {number} low @param {number} high @returns {[number, number]} */
  function padRange(low, high) {
    const pad = Math.max((high - low) * 0.05, 0.01);
    return [low === 0 ? 0 : low - pad, high === 0 ? 0 : high + pad];
  }

  /** Returns the first index with a later time. @param {Float64Array} times @param {number} time */
  function indexAfter(times, time) {
    let low = 0;
    let high = times.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if ((times[middle] ?? 0) <= time) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  /**
   * Returns the labels of ticks, with the date below the first tick and wherever the date changes.
   * @param {number[]} ticks @param {number} step ms
   */
  function timeTexts(ticks, step) {
    let day = '';
    return ticks.map((tick) => {
      const text = new Date(tick).toISOString();
      const isNewDay = text.slice(0, 10) !== day;
      day = text.slice(0, 10);
      const time = text.slice(11, step < 1_000 ? 23 : step < 60_000 ? 19 : 16);
      return step >= DAY_MS ? day : isNewDay ? `${time}\n${day}` : time;
    });
  }

  /** @param {number} value @param {string} unit */
  function valueText(value, unit) {
    const size = numberText(Math.abs(value));
    const sign = value < 0 ? '−' : '';
    return unit === 'USD' ? `${sign}$${Math.abs(value).toFixed(2)}` : `${sign}${size} ${unit}`;
  }

  /** Returns up to four decimals, with a minus sign (U+2212). @param {number} value */
  function numberText(value) {
    return value.toLocaleString('en-US', { maximumFractionDigits: 4 }).replace('-', '−');
  }

  /** Returns the value of a CSS variable, such as a colour of the theme. @param {string} name */
  function css(name) {
    return getComputedStyle(document.documentElement).getPropertyValue(name);
  }
})();
