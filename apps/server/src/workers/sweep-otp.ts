import type { Context } from "../context.ts";
import { sweepOtp } from "../otp/sweep-otp.ts";
import type { Worker } from "./worker.ts";

/** Ends records of passcodes whose process died during the call. */
export function createSweepOtpWorker(context: Context): Worker {
  return {
    name: "sweep-otp",
    queue: "housekeeping",
    pollMs: 10_000,
    runOnce: () => sweepOtp(context, 500),
  };
}
