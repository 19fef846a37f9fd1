// Where one is, in the hash of the URL: `#/games/mastermind@1?level=2&seed=7&split=eval`.

export const SEEDS = 2 ** 31;
export const ANSWER_FORMATS = [
  "tags", "tags-last", "tags-truncated", "tags-last-truncated",
  "boxed", "boxed-same", "boxed-truncated", "boxed-same-truncated", "bare",
];

/** The place that a hash names; what cannot be read is as if it were not there. */
export function read(hash) {
  const [path, query = ""] = hash.replace(/^#\/?/, "").split(/\?(.*)/s);
  const told = new URLSearchParams(query);
  const env = path ? unescaped(path) : "";
  if (!env) {
    const wanted = ["q", "category", "kind", "tag"].map((name) => [name, told.get(name) ?? ""]);
    return { env: "", ...Object.fromEntries(wanted) };
  }
  const [name, version = ""] = env.split("@");
  const knobs = [...told].filter(([key]) => key.startsWith("knob."));
  return {
    env: name,
    version,
    level: natural(told.get("level"), 1000),
    seed: natural(told.get("seed"), SEEDS - 1),
    split: told.get("split") === "eval" ? "eval" : "train",
    answer_format: ANSWER_FORMATS.includes(told.get("answer_format")) ? told.get("answer_format") : "tags",
    knobs: Object.fromEntries(knobs.map(([key, value]) => [key.slice("knob.".length), value])),
    sessions: (told.get("sessions") ?? "").split(",").filter((id) => /^[\w-]{1,64}$/.test(id)).slice(0, 2),
  };
}

/** The hash that names a place. */
export function write(place) {
  const told = new URLSearchParams();
  if (!place.env) {
    for (const name of ["q", "category", "kind", "tag"]) if (place[name]) told.set(name, place[name]);
  } else {
    told.set("level", place.level);
    told.set("seed", place.seed);
    if (place.split !== "train") told.set("split", place.split);
    if (place.answer_format !== "tags") told.set("answer_format", place.answer_format);
    for (const [name, value] of Object.entries(place.knobs)) told.set(`knob.${name}`, value);
    if (place.sessions.length) told.set("sessions", place.sessions.join(","));
  }
  const query = String(told);
  return `#/${escaped(place)}${query && "?"}${query}`;
}

/** Where an environment is met first. */
export const start = (card) =>
  write({
    env: card.name, version: String(card.version ?? ""), level: 0, seed: 0, split: "train", answer_format: "tags",
    knobs: {}, sessions: [],
  });

const escaped = ({ env, version }) =>
  env && env.split("/").map(encodeURIComponent).join("/") + (version && `@${encodeURIComponent(version)}`);

function unescaped(path) {
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
}

function natural(text, most) {
  return /^\d{1,10}$/.test(text ?? "") ? Math.min(Number(text), most) : 0;
}
