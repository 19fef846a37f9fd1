// Figures and names as people read them.

const plain = new Intl.NumberFormat("en", { maximumSignificantDigits: 3 });
const compact = new Intl.NumberFormat("en", { notation: "compact", maximumSignificantDigits: 3 });

/** A number in at most three figures. */
export const number = (value) => (Math.abs(value) >= 10_000 ? compact : plain).format(value);

export const percent = (share) => `${plain.format(100 * share)} %`;

/** A time that is given in microseconds. */
export function micros(value) {
  if (value < 1000) return `${number(value)} µs`;
  return value < 1e6 ? `${number(value / 1000)} ms` : `${number(value / 1e6)} s`;
}

/** What an environment is called, from its name: `graphs/maximum_flow` is Maximum flow. */
export function title(name) {
  const words = name.split("/").pop().replaceAll("_", " ").replaceAll("+", " + ");
  return words.charAt(0).toUpperCase() + words.slice(1);
}

export const capital = (word) => word.charAt(0).toUpperCase() + word.slice(1);

export const KINDS = { puzzle: "One reply", task: "Several turns", match: "Match" };

export const plural = (count, one, many = `${one}s`) => `${count} ${count === 1 ? one : many}`;
