/** Own fills on a price chart of a report's page: drawn as triangles, and described at the cursor. */
const pageFills = (() => {
  const { css, indexAfter, valueText, numberText } = pageNumbers;
  /** Number of fills in a view above which fills that would cover each other are drawn once. */
  const CROWDED = 2_000;
  const KINDS = ['bought YES, maker', 'sold YES, maker', 'bought YES, taker', 'sold YES, taker'];

  return { drawFills, fillTexts };

  /** @typedef {{ times: Float64Array, prices: Float64Array, shares: Float64Array, kinds: Float64Array }} Fills */

  /** Draws triangles that point up for purchases and are solid for makers. @param {uPlot} plot @param {Fills} fills */
  function drawFills(plot, { times, prices, kinds }) {
    const { min = 0, max = 0 } = plot.scales['x'] ?? {};
    const [from, to] = [indexAfter(times, min - 1), indexAfter(times, max)];
    const { ctx, bbox } = plot;
    const pixel = devicePixelRatio;
    const size = (to - from > 500 ? 3 : 4.5) * pixel;
    const drawn = new Set();
    ctx.save();
    ctx.beginPath();
    ctx.rect(bbox.left, bbox.top, bbox.width, bbox.height);
    ctx.clip();
    for (let index = from; index < to; index += 1) {
      const kind = kinds[index] ?? 0;
      const x = plot.valToPos(times[index] ?? 0, 'x', true);
      const y = plot.valToPos(prices[index] ?? 0, 'y', true);
      if (to - from > CROWDED) {
        const position = `${kind} ${Math.round(x / pixel)} ${Math.round(y / pixel)}`;
        if (drawn.has(position)) continue;
        drawn.add(position);
      }
      const tip = kind % 2 === 0 ? -size : size;
      const colour = css(kind % 2 === 0 ? '--bid' : '--ask');
      ctx.beginPath();
      ctx.moveTo(x, y + tip);
      ctx.lineTo(x + size, y - tip);
      ctx.lineTo(x - size, y - tip);
      ctx.closePath();
      ctx.fillStyle = kind < 2 ? colour : css('--paper');
      ctx.fill();
      ctx.lineWidth = kind < 2 ? 0.5 * pixel : 1.3 * pixel;
      ctx.strokeStyle = kind < 2 ? css('--paper') : colour;
      ctx.stroke();
    }
    ctx.restore();
  }

  /**
   * Describes the nearest fill within eight pixels, and counts the others there.
   * @param {uPlot} plot @param {Fills} fills @param {number} left
   */
  function fillTexts(plot, fills, left) {
    const { times, prices, shares, kinds } = fills;
    const [from, to] = [plot.posToVal(left - 8, 'x'), plot.posToVal(left + 8, 'x')];
    const [first, end] = [indexAfter(times, from), indexAfter(times, to)];
    if (first >= end) return [];
    const time = plot.posToVal(left, 'x');
    let nearest = first;
    for (let index = first; index < end; index += 1) {
      if (Math.abs((times[index] ?? 0) - time) < Math.abs((times[nearest] ?? 0) - time)) nearest = index;
    }
    const text = `${KINDS[kinds[nearest] ?? 0]}: ${numberText(shares[nearest] ?? 0)} shares at ${valueText(prices[nearest] ?? 0, 'cents')}`;
    return end - first === 1 ? [text] : [text, `${numberText(end - first - 1)} more fills near it`];
  }
})();
