import type { Command } from "commander";
import { registerBackup } from "./backup.ts";
import { registerBroadcast } from "./broadcast.ts";
import { registerChannel } from "./channel.ts";
import { createProgram, registerHelp, run } from "./command-line.ts";
import { registerContacts } from "./contacts.ts";
import { registerDemo } from "./demo.ts";
import { registerMessage } from "./message.ts";
import { addExamples } from "./examples.ts";
import { registerKey } from "./key.ts";
import { registerSandbox } from "./sandbox.ts";
import { registerSegment } from "./segment.ts";
import { registerSmsProvider } from "./sms-provider.ts";
import { registerSystem } from "./system.ts";
import { registerUser } from "./user.ts";
import { registerWebhook } from "./webhook.ts";
import { registerWorkspace } from "./workspace.ts";

/** Every command there is. A program parses once: its options keep what they were given. */
export function buildProgram(): Command {
  const program = createProgram();
  registerWorkspace(program, run);
  registerUser(program, run);
  registerKey(program, run);
  registerChannel(program, run);
  registerSmsProvider(program, run);
  registerWebhook(program, run);
  registerSegment(program, run);
  registerBroadcast(program, run);
  registerMessage(program, run);
  registerContacts(program);
  registerSandbox(program, run);
  registerDemo(program);
  registerBackup(program);
  registerSystem(program);
  registerHelp(program);
  addExamples(program);
  return program;
}
