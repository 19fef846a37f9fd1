// Attempts of `palaestra eval`, read from its files in the browser, and matched by task. All of it may be
// hostile: what is not an attempt is skipped, and text stays text.

const CHUNK_LINES = 2000;

/** The attempts in a file of JSON lines, and the number of lines that are not attempts. */
export async function attemptsIn(file) {
  const attempts = new Map();
  let skipped = 0;
  let number = 0;
  for await (const line of linesOf(file)) {
    if (!line.trim()) continue;
    const attempt = parsed(line);
    if (attempt) attempts.set(`${attempt.address}\n${attempt.answer_format}\n${attempt.sample}`, attempt); // the later one counts
    else skipped += 1;
    number += 1;
    if (number % CHUNK_LINES === 0) await new Promise((resolve) => setTimeout(resolve));
  }
  return { attempts: [...attempts.values()], skipped };
}

async function* linesOf(file) {
  const reader = file.stream().pipeThrough(new TextDecoderStream()).getReader();
  let rest = "";
  for (;;) {
    const { value, done } = await reader.read();
    if (done) break;
    const lines = (rest + value).split("\n");
    rest = lines.pop();
    yield* lines;
  }
  yield rest;
}

const isText = (value) => typeof value === "string";
const isScore = (value) => value === null || (typeof value === "number" && value >= 0 && value <= 1);

/** The attempt of a line, with the fields that are shown; null where it is none. */
export function parsed(line) {
  let fields = null;
  try {
    fields = JSON.parse(line);
  } catch {
    return null;
  }
  if (!isText(fields?.address) || !Number.isInteger(fields.sample) || !isScore(fields.score)) return null;
  const texts = (values) => (Array.isArray(values) ? values.filter(isText) : []);
  return {
    address: fields.address,
    sample: fields.sample,
    score: fields.score,
    env: fields.address.split("@")[0],
    level: Number.isInteger(fields.level) && fields.level >= 0 ? fields.level : 0,
    status: isText(fields.status) ? fields.status : "",
    reason: isText(fields.reason) ? fields.reason : "",
    answer_format: isText(fields.answer_format) ? fields.answer_format : "tags",
    replies: texts(fields.replies),
    rewards: Array.isArray(fields.rewards) ? fields.rewards.map(Number) : [],
    tokens: Number.isInteger(fields.completion_tokens) ? fields.completion_tokens : 0,
    cut: fields.cut === true,
  };
}

export const OUTCOMES = {
  one: "Only A right", other: "Only B right", both: "Both right", neither: "Neither right", unscored: "Not scored",
};

/** Tasks with attempts of both sides, in the order of the first file. */
export function matched(one, other) {
  const [left, right] = [byAddress(one), byAddress(other)];
  const tasks = [...left].flatMap(([address, attempts]) => {
    const others = right.get(address);
    return others ? [{ address, sides: [attempts, others], outcome: outcome(attempts, others) }] : [];
  });
  return { tasks, alone: [left.size - tasks.length, right.size - tasks.length] };
}

function byAddress(attempts) {
  const tasks = new Map();
  for (const attempt of attempts) tasks.set(attempt.address, [...(tasks.get(attempt.address) ?? []), attempt]);
  for (const some of tasks.values()) some.sort((one, other) => one.sample - other.sample);
  return tasks;
}

const scoredOf = (attempts) => attempts.filter(({ score }) => score !== null);
const solvedOf = (attempts) => attempts.filter(({ score }) => score === 1);

/** A side is right where at least one of its attempts has the score 1. */
function outcome(attempts, others) {
  if (!scoredOf(attempts).length || !scoredOf(others).length) return "unscored";
  const [one, other] = [attempts, others].map((some) => solvedOf(some).length > 0);
  if (one && other) return "both";
  return one ? "one" : other ? "other" : "neither";
}

/** How many attempts of a side are right: `2 of 4`. */
export function tally(attempts) {
  const scored = scoredOf(attempts);
  return scored.length ? `${solvedOf(attempts).length} of ${scored.length}` : "not scored";
}

/** The task in the playground, as a hash; null for an address of another form. */
export function linkTo({ address, sides }) {
  const parts = /^([^@?\s]+)@(\d+)\?(.*)$/.exec(address);
  const query = new URLSearchParams(parts?.[3] ?? "");
  const seed = Number(query.get("seed"));
  if (!parts || !/^\d{1,10}$/.test(query.get("seed") ?? "")) return null;
  const route = new URLSearchParams({ level: sides[0][0].level, seed: seed % 2 ** 31 });
  if (seed >= 2 ** 31) route.set("split", "eval");
  for (const [name, value] of query) if (name !== "seed") route.set(`knob.${name}`, value);
  return `#/${parts[1].split("/").map(encodeURIComponent).join("/")}@${parts[2]}?${route}`;
}
