import { readMatcher } from "./matcher.ts";
import { processorMs } from "../../../../test/processor-time.ts";

/** Answers that are slow for backtracking engines, as long as the part of an answer that is read. */
const HARD = ["a", "ab", "aaaab", "aA1 é", "<id>7</id>", " ", "😀", "1", "a\n"].map((part) =>
  Buffer.from(part.repeat(Math.ceil((64 * 1024) / part.length))).subarray(0, 64 * 1024),
);

/** Patterns on which backtracking engines take seconds to hours. */
export const EVIL: readonly string[] = [
  `^ok|^${"(a|a)".repeat(33)}b`,
  `^ok|^${"(?:a|a)".repeat(26)}b`,
  "(a+)+$",
  "(a|a)*b",
  "(a*)*b",
  "a*b*",
  "a+b+c+",
  "(.*)(.*)(.*)(.*)(.*)[^a]",
  "(x+x+)+y",
  "(?:a?){33}a{33}c",
  "(a?a?a?a?a?a?){12}(c|$)",
  "(.{0,45})$",
  "(.{0,90})c$",
  "(?:\\p{L}|(?:([^c])|((?:((?:^|b))|(?:[^c]){1,40}? [^c]))))$",
  "(?:(?:\\w|[ab])\\w.){1,40}?$",
  "(\\w{1,90})$",
  "(?:a|b)*a(?:a|b){15}(c)",
  "[ab]*a[ab]{99}c",
];

/**
 * Milliseconds of processor time of the slowest hard answer, including reading the rule. An answer that took longer than `allowedMs`
 * is measured again, five times at most, and the best time counts.
 */
export function slowestAnswer(rule: string, allowedMs: number): number {
  let worst = 0;
  for (const body of HARD) {
    let best = Infinity;
    for (let tries = 0; tries < 5 && best >= allowedMs; tries++) {
      const took = processorMs(() => {
        const matcher = readMatcher(rule);
        if (typeof matcher !== "string") matcher.find(body);
      });
      best = Math.min(best, took);
    }
    worst = Math.max(worst, best);
  }
  return worst;
}
