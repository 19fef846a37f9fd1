// Small drawings of a card's figures.

import { svg } from "./dom.js";

const [WIDTH, HEIGHT, EDGE] = [112, 28, 3];

/** A figure level by level. `bounded` figures lie from 0 to 1; others go by their logarithm. */
export function line(values, { label, at = -1, bounded = false } = {}) {
  const scaled = bounded ? values : values.map((value) => Math.log1p(Math.max(0, value)));
  const [low, high] = bounded ? [0, 1] : [Math.min(...scaled), Math.max(...scaled)];
  const x = (n) => EDGE + (n * (WIDTH - 2 * EDGE)) / Math.max(1, values.length - 1);
  const y = (value) => HEIGHT - EDGE - ((value - low) / (high - low || 1)) * (HEIGHT - 2 * EDGE);
  const points = scaled.map((value, n) => `${x(n).toFixed(1)},${y(value).toFixed(1)}`);
  const area = `${x(0)},${HEIGHT} ${points.join(" ")} ${x(values.length - 1)},${HEIGHT}`;
  return svg(
    "svg", { class: "spark", viewBox: `0 0 ${WIDTH} ${HEIGHT}`, role: "img", "aria-label": label },
    svg("title", null, label),
    svg("polygon", { points: area }),
    svg("polyline", { points: points.join(" ") }),
    at in scaled && svg("circle", { cx: x(at), cy: y(scaled[at]), r: 3 }),
  );
}

const BINS = 28;

/** Where one figure stands among those of the whole catalog, by its logarithm. */
export function among(all, own, label) {
  const logs = all.filter((value) => value > 0).map(Math.log);
  const [low, high] = [Math.min(...logs), Math.max(...logs)];
  const bin = (value) => Math.min(BINS - 1, Math.floor((BINS * (Math.log(value) - low)) / (high - low || 1)));
  const counts = Array(BINS).fill(0);
  for (const value of all) if (value > 0) counts[bin(value)] += 1;
  const most = Math.max(...counts);
  const wide = (WIDTH - 2 * EDGE) / BINS;
  const bars = counts.map((count, n) => {
    const tall = count && 4 + ((HEIGHT - 7) * count) / most;
    const own_ = own > 0 && n === bin(own);
    return svg("rect", {
      class: own_ && "own", x: (EDGE + n * wide).toFixed(1), width: (wide - 1).toFixed(1),
      y: (HEIGHT - 2 - tall).toFixed(1), height: tall.toFixed(1),
    });
  });
  return svg(
    "svg", { class: "spark among", viewBox: `0 0 ${WIDTH} ${HEIGHT}`, role: "img", "aria-label": label },
    svg("title", null, label),
    svg("line", { x1: EDGE, x2: WIDTH - EDGE, y1: HEIGHT - 1.5, y2: HEIGHT - 1.5 }),
    bars,
  );
}
