import { readFileSync } from "node:fs";

// Loaded before a program (`node --import`), so that a test can set its clock as one sets that of a machine: at SIGUSR2 it is as
// many milliseconds ahead of the true time as the file says that `CLUSTER_CLOCK` names. Timers go on as they did.

const trueNow = Date.now;
let ahead = 0;
const now = () => trueNow() + ahead;
globalThis.Date = new Proxy(Date, {
  construct: (target, given, self) =>
    Reflect.construct(target, given.length === 0 ? [now()] : given, self),
  get: (target, name) => (name === "now" ? now : Reflect.get(target, name)),
});

process.on("SIGUSR2", () => {
  ahead = Number(readFileSync(process.env["CLUSTER_CLOCK"] ?? "", "utf8"));
});
