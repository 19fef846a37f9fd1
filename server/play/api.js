// The service, as any other client meets it: only `/v1`, nothing behind its back.

import { remember, remembered } from "./dom.js";

const ROOT = new URL("../v1", import.meta.url).href;
export const BASE = ROOT.slice(0, -"/v1".length);

const TRIES = 3;

/** What the service says is wrong (RFC 9457), or that it cannot be reached. */
class Problem extends Error {
  constructor(status, details) {
    super(details.detail || `the service answered ${status}`);
    this.status = status;
    this.slug = String(details.type ?? "").split(":").pop();
    this.retryable = Boolean(details.retryable);
    this.request = details.request_id ?? "";
  }
}

// The token is kept as long as the tab, and nowhere else.
let token = remembered("token", sessionStorageOrNone()) ?? "";

function sessionStorageOrNone() {
  try {
    return sessionStorage;
  } catch {
    return { getItem: () => null, setItem() {}, removeItem() {} };
  }
}

export const hasToken = () => token !== "";

export function keepToken(text) {
  token = text.trim();
  remember("token", token || null, sessionStorageOrNone());
}

let askForToken = async () => false;

/** Sets what is done when the service wants a token: it tells whether there is one now. */
export function onMissingToken(ask) {
  askForToken = ask;
}

async function call(method, path, { body, signal } = {}) {
  for (let tries = 1; ; tries += 1) {
    const shown = token;
    const response = await sent(method, path, body, signal);
    if (response.ok) return response.status === 204 ? null : response.json();
    const problem = await read(response);
    if (response.status === 401 && (shown !== token || (await askForToken()))) continue;
    if (!problem.retryable || tries === TRIES) throw problem;
    await pause(Number(response.headers.get("retry-after") || 1), signal);
  }
}

async function sent(method, path, body, signal) {
  const headers = { accept: "application/json" };
  if (token) headers.authorization = `Bearer ${token}`;
  if (body !== undefined) headers["content-type"] = "application/json";
  const text = body === undefined ? undefined : JSON.stringify(body);
  try {
    return await fetch(ROOT + path, { method, body: text, signal, headers });
  } catch (fault) {
    if (fault.name === "AbortError") throw fault;
    if (fault instanceof TypeError) throw new Problem(0, { detail: "The service cannot be reached." });
    throw fault;
  }
}

async function read(response) {
  try {
    return new Problem(response.status, await response.json());
  } catch {
    return new Problem(response.status, {});
  }
}

function pause(seconds, signal) {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(resolve, 1000 * Math.min(seconds, 10) * (0.5 + Math.random()));
    signal?.addEventListener("abort", () => (clearTimeout(timer), reject(signal.reason)));
  });
}

const part = encodeURIComponent;

export const service = () => call("GET", "");

/** All cards, page by page. */
export async function cards() {
  const all = [];
  for (let cursor = ""; cursor !== null; ) {
    const page = await call("GET", `/environments?limit=1000&cursor=${part(cursor)}`);
    all.push(...page.environments);
    cursor = page.next;
  }
  return all;
}

/** The card of an environment; `version` may be left out for the one that is installed. */
export const card = (env, version) =>
  call("GET", `/environments/${part(env.replace("/", ".") + (version ? `@${version}` : ""))}`);

export async function task(wish, signal) {
  const { seed, ...rest } = wish;
  const answer = await call("POST", "/tasks", { body: { ...rest, seeds: [seed] }, signal });
  return answer.tasks[0];
}

/** What there is to see in a task, with an answer drawn in, or null. */
export const scene = (address, answer = null, signal) =>
  call("POST", "/scenes", { body: { address, answer }, signal });

/** The moves of a perfect player, for tokens that may see answers. */
export const oracle = (address) =>
  call("GET", `/environments/${part(address.split("?")[0].split("+")[0].replace("/", "."))}/oracle?address=${part(address)}`);

/** What is known of an answer that may be incomplete, for tokens that may see answers. */
export const check = (address, answer, lines) =>
  call("POST", "/checks", { body: { address, answer, lines } });

/** Whether the service shows answers to this page. */
export async function showsAnswers() {
  const { scopes } = await service();
  return scopes.some((scope) => scope === "answers" || scope === "admin");
}

export const score = (address, replies, answer_format) =>
  call("POST", "/score", { body: { address, replies, answer_format } });

export async function open(wish, signal) {
  return (await call("POST", "/sessions", { body: wish, signal })).sessions[0];
}

const at = (session) => `/sessions/${part(session)}`;

export const see = (session, signal) => call("GET", at(session), { signal });
export const sceneOf = (session) => call("GET", `${at(session)}/scene`);
export const step = (session, number, move) =>
  call("POST", `${at(session)}/step`, { body: { step: number, move } });
export const rewind = (session, number) =>
  call("POST", `${at(session)}/rewind`, { body: { step: number } });
export const fork = async (session) =>
  (await call("POST", `${at(session)}/fork`, { body: { n: 1 } })).sessions[0];
export const forget = (session) => call("DELETE", at(session)).catch(() => null);
