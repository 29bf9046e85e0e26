import { createHmac } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import { Child } from "../child.ts";
import type { ForgerAsk } from "../forger.ts";
import { load } from "../load.ts";
import { forgetPeak, peakMegabytes } from "../process-memory.ts";
import { median, type Row } from "../rounds.ts";
import { idAt } from "../seed.ts";
import { APP_SECRET, BIG, CHANNEL, SMALL } from "../world.ts";
import type { Case } from "./case.ts";
import { smallOf } from "./create.ts";
import { callOf } from "./inbound.ts";

const CONNECTIONS = 450;
/** Others' work meanwhile, a second: far below what the product can do, so that a delay is the attack's. */
const LISTS = 100;
const CALLS = 50;
const ATTACK_SECONDS = 20;
const run = Date.now().toString(36);

/**
 * 450 connections with bodies of 3 MB that nobody signed, from four addresses to 50 channels, beside lists and signed
 * calls of others: how much memory the forgers take, and what the others wait.
 */
export const forged: Case = {
  name: "forged",
  async run(world, tell): Promise<Row[]> {
    await world.freshProduct();
    let turn = 0;
    const lists = (seconds: number) =>
      load(world.origin, {
        clients: 16,
        seconds,
        rate: LISTS,
        next: () => ({
          method: "GET",
          path: "/api/v1/contacts?pageSize=10",
          headers: { authorization: world.keys.next(BIG) },
        }),
      });
    const calls = (seconds: number) =>
      load(world.origin, {
        clients: 16,
        seconds,
        rate: CALLS,
        next() {
          const at = turn++;
          const number = smallOf(at);
          const from = String(96_500_000_000 + (at % SMALL.conversations) + 1);
          const body = callOf(number, from, `wamid.forged${run}${at}`);
          const signature = createHmac("sha256", APP_SECRET).update(body).digest("hex");
          return {
            method: "POST",
            path: `/hooks/whatsapp/${idAt(number, CHANNEL)}`,
            headers: { "x-hub-signature-256": `sha256=${signature}` },
            body,
          };
        },
      });
    const others = (seconds: number) => Promise.all([lists(seconds), calls(seconds)]);
    tell("warms up");
    await others(5);
    tell("others alone");
    const [aloneLists, aloneCalls] = await others(ATTACK_SECONDS / 2);
    const growths: number[] = [];
    const listTimes: number[] = [];
    const callTimes: number[] = [];
    const cores: number[] = [];
    const loops: number[] = [];
    let answers = "";
    for (let round = 1; round <= world.size.rounds; round++) {
      const { rss = 0 } = await world.product.ask("memory");
      forgetPeak(world.product.pid);
      const paths = Array.from(
        { length: 50 },
        (_, index) => `/hooks/whatsapp/${idAt(SMALL.first + index, CHANNEL)}`,
      );
      tell(`round ${round} of ${world.size.rounds}: the attack`);
      const [forger] = await Child.start<ForgerAsk, Record<string, number>, object>("forger.ts", [
        world.origin,
        paths.join(","),
        String(CONNECTIONS),
      ]);
      const before = world.cpu();
      const [listed, called] = await others(ATTACK_SECONDS);
      const after = world.cpu();
      const { loopMs = Number.NaN } = await world.product.ask("memory");
      loops.push(loopMs);
      if (before && after) cores.push((after.product - before.product) / (ATTACK_SECONDS * 1_000));
      growths.push((peakMegabytes(world.product.pid) ?? 0) - Math.round(rss / 1_048_576));
      listTimes.push(listed.p99Ms);
      callTimes.push(called.p99Ms);
      answers = JSON.stringify(await forger.ask("end"));
      await forger[Symbol.asyncDispose]();
      tell(
        `grew ${growths.at(-1)} MB, p99 ${listed.p99Ms.toFixed(0)} ms, ${cores.at(-1)?.toFixed(2)} of a core, event loop p99 ${loopMs.toFixed(0)} ms, answers ${answers}`,
      );
      await sleep(2_000);
    }
    const growth = median(growths);
    const p99Ms = Math.max(median(listTimes), median(callTimes));
    const plain = { floor: null, product: null, ratio: null };
    return [
      {
        ...plain,
        name: "450 forged bodies of 3 MB: memory",
        p99Ms: null,
        goal: "≤ 50 MB more",
        met: growth <= 50,
        note: `${growth} MB more; answers ${answers}`,
      },
      {
        ...plain,
        name: "450 forged bodies of 3 MB: others wait",
        p99Ms,
        goal: "p99 ≤ 250 ms",
        met: p99Ms <= 250,
        note: `lists ${median(listTimes).toFixed(0)} ms (alone ${aloneLists.p99Ms.toFixed(0)}), calls ${median(callTimes).toFixed(0)} ms (alone ${aloneCalls.p99Ms.toFixed(0)}); the product has ${median(cores).toFixed(2)} of a core, its event loop is late by ${median(loops).toFixed(0)} ms (p99)`,
      },
    ];
  },
};
