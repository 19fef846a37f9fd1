// The view and its parameters, in the hash of the URL: `#/games/mastermind@1?level=2&seed=7&split=eval`.

export const SEEDS = 2 ** 31;
export const ANSWER_FORMATS = [
  "tags", "tags-last", "tags-truncated", "tags-last-truncated",
  "boxed", "boxed-same", "boxed-truncated", "boxed-same-truncated", "bare",
];

const COMPARE = "compare";

/** The route that a hash names; parameters that cannot be read are ignored. */
export function read(hash) {
  const [path, query = ""] = hash.replace(/^#\/?/, "").split(/\?(.*)/s);
  const params = new URLSearchParams(query);
  const env = path ? unescaped(path) : "";
  if (env === COMPARE) return { view: COMPARE, env: "" };
  if (!env) {
    const wanted = ["q", "category", "kind", "tag"].map((name) => [name, params.get(name) ?? ""]);
    return { env: "", ...Object.fromEntries(wanted) };
  }
  const [name, version = ""] = env.split("@");
  const knobs = [...params].filter(([key]) => key.startsWith("knob."));
  return {
    env: name,
    version,
    level: natural(params.get("level"), 1000),
    seed: natural(params.get("seed"), SEEDS - 1),
    split: params.get("split") === "eval" ? "eval" : "train",
    answer_format: ANSWER_FORMATS.includes(params.get("answer_format")) ? params.get("answer_format") : "tags",
    knobs: Object.fromEntries(knobs.map(([key, value]) => [key.slice("knob.".length), value])),
    sessions: (params.get("sessions") ?? "").split(",").filter((id) => /^[\w-]{1,64}$/.test(id)).slice(0, 2),
  };
}

/** The hash of a route. */
export function write(route) {
  if (route.view === COMPARE) return `#/${COMPARE}`;
  const params = new URLSearchParams();
  if (!route.env) {
    for (const name of ["q", "category", "kind", "tag"]) if (route[name]) params.set(name, route[name]);
  } else {
    params.set("level", route.level);
    params.set("seed", route.seed);
    if (route.split !== "train") params.set("split", route.split);
    if (route.answer_format !== "tags") params.set("answer_format", route.answer_format);
    for (const [name, value] of Object.entries(route.knobs)) params.set(`knob.${name}`, value);
    if (route.sessions.length) params.set("sessions", route.sessions.join(","));
  }
  const query = String(params);
  return `#/${escaped(route)}${query && "?"}${query}`;
}

/** The first route of an environment. */
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
