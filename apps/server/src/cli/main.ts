import { registerBackup } from "./backup.ts";
import { registerBroadcast } from "./broadcast.ts";
import { registerChannel } from "./channel.ts";
import { registerContacts } from "./contacts.ts";
import { registerDemo } from "./demo.ts";
import { createProgram, run, runProgram } from "./command-line.ts";
import { registerKey } from "./key.ts";
import { registerSegment } from "./segment.ts";
import { registerSmsProvider } from "./sms-provider.ts";
import { registerSystem } from "./system.ts";
import { registerUser } from "./user.ts";
import { registerWebhook } from "./webhook.ts";
import { registerWorkspace } from "./workspace.ts";

const program = createProgram();
registerWorkspace(program, run);
registerUser(program, run);
registerKey(program, run);
registerChannel(program, run);
registerSmsProvider(program, run);
registerWebhook(program, run);
registerSegment(program, run);
registerBroadcast(program, run);
registerContacts(program);
registerDemo(program);
registerBackup(program);
registerSystem(program);

// A reader that closed early (`| head`) is no fault: the command finishes and leaves everything tidy.
process.stdout.on("error", () => {});

process.exitCode = await runProgram(program, process.argv.slice(2));
