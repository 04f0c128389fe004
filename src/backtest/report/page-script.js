/**
 * Runs in the page of a report: draws the charts over time with uPlot, and lets the reader zoom, read values and switch
 * between light and dark. All pages have the same script, which loads nothing.
 *
 * All charts show the same part of the time and share a cursor. A chart is drawn when it comes into view.
 */
(() => {
  /**
   * @typedef {{ times: Float64Array, prices: Float64Array, shares: Float64Array, kinds: Float64Array }} Fills
   * @typedef {{ box: HTMLElement, output: HTMLElement, style: any, times: Float64Array, values: Float64Array,
   *   fills: Fills | undefined, plot: uPlot | undefined }} Chart
   */

  /** Parts of the width by which a key moves the cursor (`CURSOR_STEP`) or the view (`VIEW_SHIFT`). */
  const CURSOR_STEP = 0.02;
  const VIEW_SHIFT = 0.25;
  const { css, decodeSums, padRange, indexAfter, timeTexts, valueText, numberText } = pageNumbers;
  const { drawFills, fillTexts } = pageFills;
  const narrow = matchMedia('(max-width: 720px)');
  const root = document.documentElement;
  const pageData = document.body.dataset;
  const wholeRange = { min: Number(pageData['from']), max: Number(pageData['to']) };
  let view = { min: Number(pageData['zoomFrom']), max: Number(pageData['zoomTo']) };
  let isApplyingView = false;

  /** @type {Chart[]} */
  const charts = [...document.querySelectorAll('figure.time')].map(createChart);
  const observer = new IntersectionObserver(
    (entries) => {
      for (const { isIntersecting, target } of entries) if (isIntersecting) show(target);
    },
    { rootMargin: '300px' },
  );
  for (const { box } of charts) observer.observe(box);

  const range = element('#range');
  element('.bar').hidden = false;
  for (const button of document.querySelectorAll('[data-zoom]')) {
    button.addEventListener('click', () => zoom(/** @type {HTMLElement} */ (button).dataset['zoom']));
  }
  element('#theme').addEventListener('click', () => {
    const isDark = css('--theme').trim() === 'dark';
    root.dataset['theme'] = isDark ? 'light' : 'dark';
    redraw();
  });
  matchMedia('(prefers-color-scheme: dark)').addEventListener('change', redraw);
  addEventListener('resize', resize);
  addEventListener('beforeprint', () => {
    root.dataset['print'] = root.dataset['theme'] ?? '';
    root.dataset['theme'] = 'light';
    for (const { box } of charts) show(box);
    resize(680);
  });
  addEventListener('afterprint', () => {
    if (root.dataset['print'] === '') delete root.dataset['theme'];
    else root.dataset['theme'] = root.dataset['print'];
    delete root.dataset['print'];
    resize();
  });
  showRange();

  /** @param {Element} figure @returns {Chart} */
  function createChart(figure) {
    const data = JSON.parse(figure.querySelector('script')?.textContent ?? '');
    const { times, values, fills, ...style } = data;
    const box = /** @type {HTMLElement} */ (figure.querySelector('.chart'));
    const output = /** @type {HTMLElement} */ (figure.querySelector('output'));
    const chart = {
      box,
      output,
      style,
      times: decodeSums(times, 1),
      values: decodeSums(values, style.step * style.scale),
      fills: fills && {
        times: decodeSums(fills.times, 1),
        prices: decodeSums(fills.prices, style.scale),
        shares: decodeSums(fills.lots, 0.01),
        kinds: decodeSums(fills.kinds, 1),
      },
      plot: undefined,
    };
    box.addEventListener('keydown', (event) => onKey(chart, event));
    box.addEventListener('wheel', (event) => onWheel(chart, event), { passive: false });
    return chart;
  }

  /** @param {Element} box */
  function show(box) {
    const chart = charts.find((candidate) => candidate.box === box);
    if (chart === undefined || chart.plot !== undefined) return;
    observer.unobserve(box);
    chart.plot = new uPlot(chartOptions(chart), [chart.times, chart.values], chart.box);
    applyView(chart.plot);
  }

  /** @param {Chart} chart @returns {uPlot.Options} */
  function chartOptions(chart) {
    const { style, fills } = chart;
    const stepped = uPlot.paths.stepped?.({ align: 1 });
    const axis = {
      stroke: () => css('--muted'),
      grid: { stroke: () => css('--rule'), width: 1 },
      ticks: { stroke: () => css('--rule'), width: 1, size: 4 },
      font: '11px system-ui, sans-serif',
    };
    return {
      width: chart.box.clientWidth,
      height: chartHeight(chart),
      legend: { show: false },
      padding: [10, 22, 0, 0],
      tzDate: (time) => uPlot.tzDate(new Date(time), 'Etc/UTC'),
      ms: 1,
      cursor: {
        drag: { x: true, y: false, dist: 4 },
        sync: { key: 'time', scales: ['x', null] },
        points: { size: 7, fill: () => css('--paper'), stroke: () => css(style.colour), width: 2 },
        bind: {
          dblclick: () => () => {
            zoom('whole');
            return null;
          },
        },
      },
      scales: { x: { time: true }, y: { range: (plot, low, high) => valueRange(plot, low, high, chart) } },
      axes: [
        { ...axis, size: 44, space: 70, values: (_, ticks, _axis, _space, step) => timeTexts(ticks, step) },
        {
          ...axis,
          size: narrow.matches ? 46 : 54,
          values: (_, ticks) => ticks.map((tick) => numberText(tick)),
          label: style.unit,
          labelSize: 16,
          labelGap: 0,
          labelFont: axis.font,
        },
      ],
      series: [
        {},
        {
          stroke: () => css(style.colour),
          width: style.fill === undefined ? 1 : 1.4,
          ...(style.fill === undefined ? {} : { fill: () => css(style.fill), fillTo: () => 0 }),
          ...(stepped === undefined ? {} : { paths: stepped }),
          points: { show: false },
        },
      ],
      hooks: {
        setScale: [(plot, name) => name === 'x' && onZoom(plot)],
        setCursor: [(plot) => showValues(plot, chart)],
        ...(fills === undefined ? {} : { draw: [(plot) => drawFills(plot, fills)] }),
      },
    };
  }

  /**
   * Returns the range of values on the axis, from the points in view.
   * @param {uPlot} plot @param {number} low @param {number} high @param {Chart} chart @returns {[number, number]}
   */
  function valueRange(plot, low, high, { values, style, fills }) {
    if (fills !== undefined) return priceRange(plot, values, fills);
    if (low === null || (low === 0 && high === 0)) return [-1, 1];
    return style.fill === undefined ? padRange(low, high) : padRange(Math.min(0, low), Math.max(0, high));
  }

  /**
   * Returns the range of all prices. If the outer hundredths of the points take up more than half of this range,
   * returns the range of the other points and all fills. Short jumps of a thin book's mid would flatten the rest.
   * @param {uPlot} plot @param {Float64Array} values @param {Fills} fills
   */
  function priceRange(plot, values, { times, prices }) {
    const [first = 0, last = values.length - 1] = plot.series[0]?.idxs ?? [];
    const sorted = values.slice(first, last + 1).sort();
    const quantile = (/** @type {number} */ share) => sorted[Math.round(share * (sorted.length - 1))] ?? 50;
    const isWhole = first === 0 && last === values.length - 1;
    const from = isWhole ? 0 : indexAfter(times, plot.data[0][first] ?? 0);
    const to = isWhole ? times.length : indexAfter(times, plot.data[0][last] ?? 0);
    let [low, high] = [quantile(0.01), quantile(0.99)];
    for (let index = from; index < to; index += 1) {
      low = Math.min(low, prices[index] ?? low);
      high = Math.max(high, prices[index] ?? high);
    }
    const cutsOutliers = quantile(1) - quantile(0) > 2 * (high - low) && high > low;
    return cutsOutliers ? padRange(low, high) : padRange(Math.min(low, quantile(0)), Math.max(high, quantile(1)));
  }

  /** Writes the values at the cursor below the chart. @param {uPlot} plot @param {Chart} chart */
  function showValues(plot, { output, style, times, values, fills }) {
    const { left = -1, idx } = plot.cursor;
    if (left < 0 || idx === null || idx === undefined || times.length === 0) {
      output.textContent = '';
      return;
    }
    const time = plot.posToVal(left, 'x');
    const index = Math.max(0, indexAfter(times, time) - 1);
    const parts = [`${dateText(time)} UTC`, `${style.name} ${valueText(values[index] ?? 0, style.unit)}`];
    if (fills !== undefined) parts.push(...fillTexts(plot, fills, left));
    output.textContent = parts.join(' · ');
  }

  /** @param {Chart} chart @param {KeyboardEvent} event */
  function onKey(chart, event) {
    const { plot } = chart;
    if (plot === undefined || event.ctrlKey || event.metaKey || event.altKey) return;
    const sign = event.key === 'ArrowRight' ? 1 : -1;
    if (event.key === '+' || event.key === '=') zoom('in', plot);
    else if (event.key === '-') zoom('out', plot);
    else if (event.key === '0') zoom('whole');
    else if (event.key !== 'ArrowLeft' && event.key !== 'ArrowRight') return;
    else if (event.shiftKey) zoom(sign > 0 ? 'later' : 'earlier');
    else {
      const { width, height } = plot.over.getBoundingClientRect();
      const { left = -1 } = plot.cursor;
      const from = left < 0 ? width / 2 : left;
      plot.setCursor({ left: Math.min(width, Math.max(0, from + sign * CURSOR_STEP * width)), top: height / 2 }, true);
    }
    event.preventDefault();
  }

  /** Zooms with Ctrl or a pinch. Otherwise the page scrolls. @param {Chart} chart @param {WheelEvent} event */
  function onWheel({ plot }, event) {
    if (plot === undefined || !event.ctrlKey) return;
    event.preventDefault();
    zoom(event.deltaY < 0 ? 'in' : 'out', plot);
  }

  /** Zooms around the cursor, or else the middle. @param {string | undefined} action @param {uPlot} [plot] */
  function zoom(action, plot) {
    const { min, max } = view;
    const width = max - min;
    const shift = (action === 'later' ? VIEW_SHIFT : -VIEW_SHIFT) * width;
    const left = plot?.cursor.left ?? -1;
    const centre = plot === undefined || left < 0 ? (min + max) / 2 : plot.posToVal(left, 'x');
    if (action === 'whole') setView(wholeRange.min, wholeRange.max);
    else if (action === 'in') setView(centre - (centre - min) / 2, centre + (max - centre) / 2);
    else if (action === 'out') setView(centre - (centre - min) * 2, centre + (max - centre) * 2);
    else setView(min + shift, max + shift);
  }

  /** Shows a range of at least 20 ms within the run. @param {number} min @param {number} max */
  function setView(min, max) {
    const width = Math.min(wholeRange.max - wholeRange.min, Math.max(20, max - min));
    const from = Math.min(Math.max(wholeRange.min, min), wholeRange.max - width);
    view = { min: from, max: from + width };
    for (const { plot } of charts) if (plot !== undefined) applyView(plot);
    showRange();
  }

  /** Makes all charts follow the chart into which the reader zooms. @param {uPlot} plot */
  function onZoom(plot) {
    const { min, max } = plot.scales['x'] ?? {};
    if (isApplyingView || typeof min !== 'number' || typeof max !== 'number') return;
    if (min !== view.min || max !== view.max) setView(min, max);
  }

  /** @param {uPlot} plot */
  function applyView(plot) {
    isApplyingView = true;
    plot.batch(() => plot.setScale('x', view));
    isApplyingView = false;
  }

  function showRange() {
    range.textContent = `${dateText(view.min)} to ${dateText(view.max)} UTC`;
  }

  /** @param {unknown} [width] pixels; if it is not a number, each chart gets the width of its box */
  function resize(width) {
    for (const chart of charts) {
      chart.plot?.setSize({
        width: typeof width === 'number' ? width : chart.box.clientWidth,
        height: chartHeight(chart),
      });
    }
  }

  function redraw() {
    for (const { plot } of charts) plot?.redraw();
  }

  /** @param {Chart} chart @returns {number} */
  function chartHeight({ style }) {
    return narrow.matches ? Math.round(style.height * 0.85) : style.height;
  }

  /** @param {string} selector @returns {HTMLElement} */
  function element(selector) {
    const found = document.querySelector(selector);
    if (!(found instanceof HTMLElement)) throw new Error(`the page has no ${selector}`);
    return found;
  }

  /** @param {number} time epoch ms */
  function dateText(time) {
    return new Date(time)
      .toISOString()
      .replace('T', ' ')
      .slice(0, view.max - view.min < 600_000 ? 23 : 19);
  }
})();
