import { makeWorld, QUICK, CAMPAIGN } from "./world.ts";
import { Session } from "node:inspector/promises";
import fs from "node:fs";
import { startLoops } from "../apps/server/src/workers/loop.ts";
import { startBroadcast } from "../apps/server/src/broadcasts/start-broadcast.ts";
import { findBroadcast } from "../apps/server/src/broadcasts/find-broadcast.ts";
import { idAt, WORKSPACE } from "./seed.ts";
import * as cases from "./cases/campaign.ts";
await using world = await makeWorld(QUICK, (l) => process.stderr.write(l + "\n"));
await world.freshProduct();
const loops = startLoops(world.app, world.app.workers);
const session = new Session(); session.connect();
for (let round = 0; round < 2; round++) {
  const id = await cases.start(world, CAMPAIGN, 1_000_000);
  if (round === 1) { await session.post("Profiler.enable"); await session.post("Profiler.start"); }
  const cpu = process.cpuUsage(); const begun = performance.now();
  for (;;) { const b = await findBroadcast(world.app, idAt(CAMPAIGN, WORKSPACE), id); if (b?.status === "COMPLETED") break; await new Promise(r => setTimeout(r, 100)); }
  const used = process.cpuUsage(cpu);
  console.log(round, (performance.now() - begun) | 0, "ms", (used.user + used.system) / 5000, "us per recipient");
}
const { profile } = await session.post("Profiler.stop");
const self = new Map<string, number>(); const total = new Map<string, number>();
const byId = new Map(profile.nodes.map((n) => [n.id, n]));
const dt = profile.timeDeltas ?? []; const parent = new Map<number, number>();
for (const n of profile.nodes) for (const c of n.children ?? []) parent.set(c, n.id);
const nm = (n: any) => `${n.callFrame.functionName || "(anon)"} ${n.callFrame.url.replace(/.*\/(node_modules|repo)\//, "")}:${n.callFrame.lineNumber}`;
(profile.samples ?? []).forEach((s, i) => { const d = dt[i] ?? 0; const n = byId.get(s)!; self.set(nm(n), (self.get(nm(n)) ?? 0) + d); const seen = new Set(); for (let x: number | undefined = s; x !== undefined; x = parent.get(x)) { const k = nm(byId.get(x)!); if (!seen.has(k)) { seen.add(k); total.set(k, (total.get(k) ?? 0) + d); } } });
const top = (m: Map<string, number>, n: number) => [...m].sort((a, b) => b[1] - a[1]).slice(0, n).map(([k, v]) => `${(v / 5000).toFixed(1)} us  ${k}`).join("\n");
console.log("SELF\n" + top(self, 45)); console.log("TOTAL\n" + top(total, 70));
await loops.stop();
process.exit();
